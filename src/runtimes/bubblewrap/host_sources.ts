import type { Identity } from "./identity.ts";
import type { Mount, SandboxProgram } from "../runtime.ts";
import { KarotteError } from "../../base/errors.ts";
import { realPathIfThere } from "../host_files.ts";

/** A host path and the empty place in the run's folder over which root binds it. */
export interface Bind {
  readonly from: string;
  readonly to: string;
}

/** Files and folders of the host as bwrap will find them. */
export interface HostSources {
  readonly program: readonly { readonly name: string; readonly source: string }[];
  readonly mounts: readonly Mount[];
  readonly binds: readonly Bind[];
}

/**
 * Decides how bwrap reaches what is shown of the host. A plain user's bwrap goes there as that
 * user. Root's runs with ids that may enter nobody's private folder: root binds the things to
 * places below `tree` first, which costs no copy. A program file that is not readable by all is
 * copied.
 */
export async function hostSources(
  program: SandboxProgram,
  mounts: readonly Mount[],
  { tree, seenAs, identity }: { tree: string; seenAs: string; identity: Identity },
): Promise<HostSources> {
  const binds: Bind[] = [];
  await Deno.mkdir(`${tree}/host`);
  const reach = async (source: string): Promise<string> => {
    if (!identity.privileged) return source;
    const place = `/host/${binds.length}`;
    binds.push({ from: source, to: tree + place });
    if ((await Deno.stat(source)).isDirectory) await Deno.mkdir(tree + place);
    else await Deno.writeTextFile(tree + place, "");
    return seenAs + place;
  };
  const files: { name: string; source: string }[] = [];
  for (const { name, source } of program.files) {
    checkName(name);
    const real = await realPathIfThere(source);
    if (real === undefined) {
      throw new KarotteError(
        "runtime",
        `Cannot find the program file "${source}": it is not there`,
      );
    }
    if (!identity.privileged || readableByAll(await Deno.stat(real))) {
      files.push({ name, source: await reach(real) });
      continue;
    }
    const copy = `/host/copy_${files.length}`;
    await Deno.copyFile(real, tree + copy);
    await Deno.chown(tree + copy, identity.root.uid, identity.root.gid);
    await Deno.chmod(tree + copy, 0o755);
    files.push({ name, source: seenAs + copy });
  }
  const reached: Mount[] = [];
  for (const mount of mounts) reached.push({ ...mount, source: await reach(mount.source) });
  return { program: files, mounts: reached, binds };
}

function readableByAll({ mode }: Deno.FileInfo): boolean {
  const bits = mode ?? 0;
  return (bits & 0o004) !== 0 && ((bits & 0o100) === 0 || (bits & 0o001) !== 0);
}

function checkName(name: string): void {
  if (name !== "" && name !== "." && name !== ".." && !name.includes("/")) return;
  throw new TypeError(`"${name}" cannot name a file in the sandbox's program folder`);
}
