import { KarotteError } from "../../base/errors.ts";
import type { Run } from "../../base/process.ts";
import { readIfThere } from "./accounts.ts";
import type { Identity } from "./identity.ts";
import type { Prelude } from "./prelude.ts";
import { runOfSystem } from "./system_programs.ts";

/**
 * A way into a new user namespace. Before the sandbox's program gets them, stdin and stdout carry a
 * short exchange with the starting programs, so no descriptor but 0 to 2 is ever handed on.
 */
export interface NamespaceEntry {
  /** Returns the argv that starts bwrap in the new namespace. */
  argv(bwrapOptions: readonly string[], payload: readonly string[]): string[];
  /**
   * Maps the namespace's ids, forbids user namespaces below it, and lets bwrap go on. Resolves to
   * the host's pid of the sandbox's init.
   */
  open(exchange: Exchange): Promise<number>;
}

/** The exchange with the programs that start a sandbox. */
export interface Exchange {
  /** The process that `argv` became. */
  readonly pid: number;
  readonly prelude: Prelude;
  readonly identity: Identity;
  /** Writes to the starting program's stdin. */
  answer(text: string): Promise<void>;
}

/**
 * The program that makes the user namespace of a plain user; root's is always made by `unshare`.
 */
export type Launcher = "unshare" | "bwrap";

/** Returns the entry by the launcher that was asked for, or by the one that fits this host. */
export function chooseNamespaceEntry(
  identity: Identity,
  launcher = launcherHere(),
): NamespaceEntry {
  if (launcher === "bwrap" && !identity.privileged) return byBwrap();
  return byUnshare({ keepCapabilities: identity.privileged });
}

function launcherHere(): Launcher {
  // Ubuntu forbids user namespaces to what has no profile, and one for bwrap is easily had.
  const restricted = readIfThere("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").trim();
  return restricted === "1" ? "bwrap" : "unshare";
}

/** The command without which the student makes user namespaces, with all capabilities in them. */
const FORBID_USER_NAMESPACES = "echo 0 > /proc/sys/user/max_user_namespaces";
const READY = "ready";

/**
 * Returns the entry where `unshare` makes the namespace. With `keepCapabilities` (needed where the
 * caller's uid is not among the mapped ones) the step before the switch to the namespace's root
 * keeps what it has.
 */
function byUnshare(options: { keepCapabilities: boolean }): NamespaceEntry {
  const wait = `echo ${READY}; read -r _ || exit 125; exec setpriv --reuid 0 --regid 0 ` +
    `--clear-groups --inh-caps=-all --ambient-caps=-all -- bash -c '${FORBID_USER_NAMESPACES} && ` +
    `exec "$@" 9>&1' karotte "$@"`;
  return {
    argv: (bwrapOptions, payload) => [
      ...["unshare", "--user", "--mount", "--propagation", "private"],
      ...(options.keepCapabilities ? ["--keep-caps"] : []),
      ...["--", "bash", "-c", wait, "karotte"],
      ...["bwrap", "--info-fd", "9", ...bwrapOptions, "--", ...payload],
    ],
    async open({ pid, prelude, identity, answer }) {
      await prelude.expect(READY);
      await identity.mapInto(pid);
      await answer("\n");
      return await prelude.childPid();
    },
  };
}

/**
 * Returns the entry where bwrap makes the namespace itself: for hosts whose AppArmor lets bwrap do
 * that and `unshare` not. Its own --disable-userns does not go together with maps that come from
 * outside.
 */
function byBwrap(runProgram: Run = runOfSystem): NamespaceEntry {
  return {
    argv: (bwrapOptions, payload) => [
      ...["bash", "-c", 'exec "$@" 8<&0 9>&1', "karotte", "bwrap"],
      ...["--unshare-user", "--uid", "0", "--gid", "0"],
      ...["--userns-block-fd", "8", "--info-fd", "9", ...bwrapOptions, "--", ...payload],
    ],
    async open({ prelude, identity, answer }) {
      const init = await prelude.childPid();
      await identity.mapInto(init);
      const forbid = ["bash", "-c", FORBID_USER_NAMESPACES];
      const result = await runProgram(["nsenter", `--user=/proc/${init}/ns/user`, "--", ...forbid]);
      if (result.code !== 0) {
        const said = new TextDecoder().decode(result.stderr).trim();
        throw new KarotteError("runtime", `Cannot forbid user namespaces in the sandbox: ${said}`);
      }
      // Exactly the one byte that bwrap reads: the next one is for its program.
      await answer("\n");
      return init;
    },
  };
}
