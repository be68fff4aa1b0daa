import { filterSystemCalls, leaveSessionKeyring } from "../base/protect_process.ts";
import { isErrno } from "../base/libc.ts";
import { logLine } from "../base/log.ts";
import { isGuardOn } from "../protocol/guards.ts";

/**
 * Keeps this process and all that it starts, root's programs too, from the ways into the kernel
 * that no task needs: namespaces (in one of its own the student would be root), keys of the
 * machine, sockets to the hypervisor, and more. Runtimes refuse some of it themselves, each another
 * part; this one is the same on all. Call it before anything is started, and never where other
 * things run in the same process: it holds for all of it.
 */
export function restrictSystemCalls(): void {
  if (!isGuardOn("filter")) return;
  // Before the filter, which refuses this too.
  leaveSessionKeyring();
  try {
    filterSystemCalls();
  } catch (error) {
    if (!isErrno(error, "EINVAL") && !isErrno(error, "ENOSYS")) throw error;
    logLine(
      "system calls are refused only as far as the runtime does it: there are no filters here",
    );
  }
}
