import { setTimeout as delay } from "node:timers/promises";
import { KarotteError } from "../../base/errors.ts";
import { killAllOfUser } from "../../base/libc.ts";
import { lastPid, listProcessesOfUser } from "../../base/process_table.ts";

/** A chain of processes that fork and die wins some passes, never so many. */
const DEADLINE_MS = 30_000;
const PASS_INTERVAL_MS = 5;

/**
 * Kills every process of a user and returns only when it is certain that none is left. Throws a
 * `KarotteError` after 30 seconds. Needs no new process, so a full pids limit does not stop it.
 *
 * `started` holds what we have started for that user and what has not ended: it may be root still,
 * and the user's a moment later.
 */
export async function killAllProcesses(uid: number, started: ReadonlySet<number>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (let pass = 0;; pass++) {
    killAllOfUser(uid);
    // A process that survived the one shot (a kernel that does it in steps) is stopped and killed.
    const left = listProcessesOfUser(uid);
    for (const pid of left) signal(pid, pass % 3 === 2 ? "SIGKILL" : "SIGSTOP");
    if (left.length === 0 && started.size === 0 && isConfirmed(uid)) return;
    if (performance.now() > deadline) {
      const found = left.length === 0 ? "processes are still being started" : `${left.length} left`;
      throw new KarotteError("run", `Cannot kill the processes of user ${uid}: ${found}`, {
        hint: "the sandbox can't be trusted any more; it has to be ended",
      });
    }
    await delay(PASS_INTERVAL_MS);
  }
}

/**
 * A list of processes is stale when it is read: one that forks and ends is never in it. So it must
 * be empty twice, and the kernel must have numbered no new process in between.
 */
function isConfirmed(uid: number): boolean {
  const before = lastPid();
  for (let scan = 0; scan < 2; scan++) {
    if (listProcessesOfUser(uid).length > 0) return false;
  }
  return lastPid() === before;
}

function signal(pid: number, name: Deno.Signal): void {
  try {
    Deno.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
