import {
  DATA_DIRECTORIES,
  PRIVATE_DIRECTORY,
  PROGRAM_DIRECTORY,
  STATE_DIRECTORY,
  WORK_DIRECTORY,
} from "../../protocol/layout.ts";
import { CAPABILITIES, environmentOf, HOSTNAME, SMALL_BYTES, TMP_BYTES } from "../confinement.ts";
import type { Cover } from "../mounts.ts";
import type { Mount } from "../runtime.ts";
import type { ControlGroup } from "./control_group.ts";
import type { ProgramRoots } from "./program_roots.ts";

/** What bwrap is to show in a sandbox; sources are paths as bwrap sees them. */
export interface Confinement {
  /** The folder with the run's own copies, laid out as in the sandbox. */
  readonly tree: string;
  readonly programRoots: ProgramRoots;
  /** Names in /etc that come from the host. */
  readonly etc: readonly string[];
  readonly program: readonly { readonly name: string; readonly source: string }[];
  readonly mounts: readonly Mount[];
  readonly covers: readonly Cover[];
  /** The sandbox's own control groups. */
  readonly controlGroups: ControlGroup["shown"];
}

/** The whole environment of the sandbox's first program. */
export const ENVIRONMENT = environmentOf({
  confinedBy: "bubblewrap",
  cacheDirectory: "/run/karotte/deno",
});

/** Folders on the way to the sandbox's own. */
const PASSAGES = ["/opt", "/opt/karotte", "/var", "/var/lib", PROGRAM_DIRECTORY];

/** The options of bwrap, all but those about the user namespace. */
export function bwrapOptions(confinement: Confinement): string[] {
  return [
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup"],
    ...["--hostname", HOSTNAME, "--die-with-parent", "--new-session"],
    ...["--cap-drop", "ALL"],
    ...CAPABILITIES.flatMap((name) => ["--cap-add", `CAP_${name.toUpperCase()}`]),
    ...["--clearenv", ...Object.entries(ENVIRONMENT).flatMap((pair) => ["--setenv", ...pair])],
    ...fileOptions(confinement),
    ...["--remount-ro", "/", "--chdir", "/"],
  ];
}

/**
 * What `bwrap` starts: groups and capabilities are cut down to the listed ones in every set, then
 * `started` is said on stdout and a line awaited: without it the host died before bwrap was set to
 * die with it. Then the channel moves to 3 and 4, away from what children inherit; 8 and 9, where
 * bwrap may have had its copies for the exchange at the start, are closed. `name` marks the run's
 * processes.
 */
export function payload(argv: readonly string[], { started, name }: PayloadOptions): string[] {
  const kept = CAPABILITIES.map((capability) => `+${capability}`).join(",");
  const script = `echo ${started}; read -r _ || exit 125; ` +
    `exec "$@" 3<&0 4>&1 0</dev/null 1>&2 8<&- 9<&-`;
  return [
    ...["setpriv", "--clear-groups", "--inh-caps=-all", "--ambient-caps=-all"],
    ...[`--bounding-set=-all,${kept}`, "--"],
    ...["/bin/sh", "-c", script, name, ...argv],
  ];
}

export interface PayloadOptions {
  readonly started: string;
  readonly name: string;
}

function fileOptions(confinement: Confinement): string[] {
  const { tree, programRoots, etc, program, mounts, covers, controlGroups } = confinement;
  const folders = DATA_DIRECTORIES.filter(({ target }) => !target.startsWith(WORK_DIRECTORY));
  return [
    ...programRoots.folders.flatMap((folder) => ["--ro-bind", folder, folder]),
    ...programRoots.links.flatMap(([path, target]) => ["--symlink", target, path]),
    ...["--ro-bind", `${tree}/etc`, "/etc"],
    ...etc.flatMap((name) => ["--ro-bind", `/etc/${name}`, `/etc/${name}`]),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...controlGroups.flatMap(({ source, target }) => [
      ...parentsOf(target).flatMap((path) => ["--perms", "0755", "--dir", path]),
      ...["--ro-bind", source, target],
    ]),
    ...tmpfs("/dev/shm", "1777", SMALL_BYTES),
    ...tmpfs("/tmp", "1777", TMP_BYTES),
    ...tmpfs("/run", "0755", SMALL_BYTES),
    // bwrap gives folders on the way to a private one its mode, and the student passes through
    // these.
    ...[...PASSAGES, ...passagesTo(mounts)].flatMap((path) => ["--perms", "0755", "--dir", path]),
    ...["--perms", "0700", "--dir", "/root"],
    ...["--bind", tree + WORK_DIRECTORY, WORK_DIRECTORY],
    ...folders.flatMap(({ target }) => ["--bind", tree + target, target]),
    ...["--bind", tree + PRIVATE_DIRECTORY, PRIVATE_DIRECTORY],
    ...["--bind", tree + STATE_DIRECTORY, STATE_DIRECTORY],
    ...program.flatMap(({ name, source }) => ["--ro-bind", source, `${PROGRAM_DIRECTORY}/${name}`]),
    ...mounts.flatMap((mount) => [
      mount.readOnly ? "--ro-bind" : "--bind",
      mount.source,
      mount.target,
    ]),
    ...covers.flatMap(({ path, isDirectory }) =>
      isDirectory ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path]
    ),
  ];
}

/**
 * Folders that have to be made on the way to the mounts; those in the run's copies are left as they
 * are.
 */
function passagesTo(mounts: readonly Mount[]): string[] {
  const own = [WORK_DIRECTORY, ...DATA_DIRECTORIES.map(({ target }) => target), "/tmp", "/run"];
  return mounts
    .filter(({ target }) => !own.some((folder) => target.startsWith(`${folder}/`)))
    .flatMap(({ target }) => parentsOf(target));
}

/** The folders above a path, outermost first, without the root. */
function parentsOf(path: string): string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
}

function tmpfs(path: string, mode: string, bytes: number): string[] {
  return ["--perms", mode, "--size", String(bytes), "--tmpfs", path];
}
