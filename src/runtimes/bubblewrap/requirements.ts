import { KarotteError, messageOf } from "../../base/errors.ts";
import type { RuntimeInfo } from "../runtime.ts";
import { readIfThere } from "./accounts.ts";
import { hostMemory } from "./host_memory.ts";
import { isOfSystem, runOfSystem } from "./system_programs.ts";

/** The first bwrap with --size for tmpfs, without which the student could fill the memory. */
const OLDEST_VERSION = [0, 7];

/** Programs beside bwrap, and the Debian package of each. */
const COMPANIONS: readonly (readonly [program: string, packageName: string])[] = [
  ["bash", "bash"],
  ["unshare", "util-linux"],
  ["setpriv", "util-linux"],
];
const COMPANIONS_OF_USERS: typeof COMPANIONS = [
  ["newuidmap", "uidmap"],
  ["newgidmap", "uidmap"],
  ["nsenter", "util-linux"],
];

/**
 * Returns undefined if there is no bwrap in the system's folders. Throws a `KarotteError` with the
 * remedy if something else that every sandbox needs is missing or forbidden. Starts nothing but
 * `bwrap --version`.
 */
export async function checkHost(): Promise<RuntimeInfo | undefined> {
  if (Deno.build.os !== "linux" || !await isOfSystem("bwrap")) return undefined;
  const version = parseVersion(
    new TextDecoder().decode((await runOfSystem(["bwrap", "--version"])).stdout),
  );
  if (isOlder(version)) {
    throw broken(
      `bwrap ${version} is too old`,
      `Install bubblewrap ${OLDEST_VERSION.join(".")} or newer.`,
    );
  }
  const needed = Deno.uid() === 0 ? COMPANIONS : [...COMPANIONS, ...COMPANIONS_OF_USERS];
  for (const [program, packageName] of needed) {
    if (!await isOfSystem(program)) {
      throw broken(`${program} is not installed`, `Install the package ${packageName}.`);
    }
  }
  checkKernel();
  return { version, memoryBytes: hostMemory() };
}

/** `bubblewrap 0.8.0` -> `0.8.0`; what has another form is returned as it is. */
export function parseVersion(text: string): string {
  return /(\d+(?:\.\d+)+)/.exec(text)?.[1] ?? text.trim();
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_VERSION;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

function checkKernel(): void {
  if (readIfThere("/proc/sys/user/max_user_namespaces").trim() === "0") {
    throw broken(
      "the kernel allows no user namespaces",
      "Run once: sudo sysctl user.max_user_namespaces=15000",
    );
  }
  if (Deno.uid() === 0) return;
  // Only Debian's kernels have this one.
  if (readIfThere("/proc/sys/kernel/unprivileged_userns_clone").trim() === "0") {
    throw broken(
      "the kernel allows no user namespaces to plain users",
      "Run once: sudo sysctl kernel.unprivileged_userns_clone=1",
    );
  }
}

const APPARMOR_REMEDY = "Let bwrap make user namespaces, as root: write `abi <abi/4.0>, include " +
  "<tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` to " +
  "/etc/apparmor.d/bwrap and run apparmor_parser -r /etc/apparmor.d/bwrap.";

/** What the starting programs say -> what to do. */
const REMEDIES: readonly (readonly [said: RegExp, hint: string])[] = [
  [
    /unshare failed: Operation not permitted|Creating new namespace failed.*not permitted/,
    "User namespaces are forbidden here; in a container, start it with a seccomp profile that allows them.",
  ],
  [
    /No space left on device/,
    "The kernel's limit of namespaces is reached: raise user.max_user_namespaces.",
  ],
  [
    /setting up uid map: Permission denied|Failed RTM_NEWADDR|uid_map: (Operation not permitted|Permission denied)/,
    APPARMOR_REMEDY,
  ],
  [
    /pivot_root|mount.*(Permission denied|not permitted)/i,
    "Mounts are forbidden here; in a container, its seccomp or AppArmor profile does that.",
  ],
];

/** The error for a start that failed: `said` is what its programs wrote to stderr. */
export function explain(said: string, error: unknown): KarotteError {
  const line = said.split("\n").filter((each) => each.trim() !== "").at(-1);
  if (line === undefined && error instanceof KarotteError) return error;
  const message = `Cannot start the sandbox: ${line ?? messageOf(error)}`;
  const hint = REMEDIES.find(([pattern]) => pattern.test(said))?.[1] ??
    (error instanceof KarotteError ? error.hint : undefined);
  return new KarotteError("runtime", message, {
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}

function broken(state: string, hint: string): KarotteError {
  return new KarotteError("runtime", `Cannot use bubblewrap: ${state}`, { hint });
}
