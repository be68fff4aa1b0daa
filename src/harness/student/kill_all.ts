import { setTimeout as delay } from "node:timers/promises";
import { killAllOfUser } from "../../base/act_as_user.ts";
import {
  countZombiesOfUser,
  lastPid,
  listProcessesOfUser,
  processEntry,
} from "../../base/process_table.ts";
import { StudentMisbehaviorError } from "../../sdk/misbehavior.ts";
import { killStudentGroup } from "./cgroup_kill.ts";

/** Milliseconds. A chain of processes that fork and die wins some passes, never so many. */
const DEADLINE_MS = 15_000;
/** Milliseconds between two passes. */
const PASS_INTERVAL_MS = 2;
/** Passes in a row that find nothing and prove it, though root's own programs come and go. */
const QUIET_PASSES = 20;
/** Milliseconds for an init to reap what was killed, so that there is room for processes again. */
const REAP_MS = 1_000;
/** Survivors that an error names. */
const SHOWN = 5;

export interface KillAllOptions {
  /**
   * What we have started for that user and what has not ended: it may be root still, and the user's
   * a moment later.
   */
  readonly started: ReadonlySet<number>;
  /** Milliseconds after which it is given up; 15 s if absent. */
  readonly deadlineMs?: number | undefined;
}

/**
 * Kills every process of a user and returns only when it is certain that none is left. Throws a
 * `StudentMisbehaviorError` if it can't be done in time. Needs no new process, so a full limit of
 * processes does not stop it.
 */
export async function killAllProcesses(
  uid: number,
  { started, deadlineMs = DEADLINE_MS }: KillAllOptions,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  for (let quiet = 0;;) {
    killStudentGroup(uid);
    killAllOfUser(uid);
    // What survives the one shot is shot again, never by its pid: by now that may be another's.
    const left = listProcessesOfUser(uid);
    quiet = left.length === 0 && started.size === 0 ? quiet + 1 : 0;
    if (quiet >= QUIET_PASSES || (quiet > 0 && isConfirmed(uid))) return await reaped(uid);
    if (performance.now() > deadline) {
      throw new StudentMisbehaviorError(
        `The student's processes could not be ended: ${foundText(left)}`,
      );
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

/** Waits a moment for zombies to go. One whose parent never asks for it stays, and does no harm. */
async function reaped(uid: number): Promise<void> {
  const deadline = performance.now() + REAP_MS;
  while (countZombiesOfUser(uid) > 0 && performance.now() < deadline) await delay(PASS_INTERVAL_MS);
}

function foundText(left: readonly number[]): string {
  if (left.length === 0) return "new ones are started all the time";
  const shown = left.slice(0, SHOWN).flatMap((pid) => {
    const entry = processEntry(pid);
    return entry === undefined ? [] : [`${JSON.stringify(entry.name)} (state ${entry.state})`];
  });
  const more = left.length - shown.length;
  return `${left.length} left: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
