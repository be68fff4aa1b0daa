import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, type ProcessEntry, withDescendants } from "../../base/process_table.ts";

const SWEEP_INTERVAL_MS = 10;
/** Milliseconds for one tree; one that grows faster than it is swept is left to `killAll`. */
const MAX_SWEEP_MS = 3_000;

/** Sends signals with the student's rights. */
export interface Killer {
  kill(pids: readonly number[], signal: 9 | 15): Promise<void>;
}

export interface TreeOptions {
  /** Processes that are left alone, and all that descends from them. */
  spare?: (entry: ProcessEntry) => boolean;
}

/**
 * Lists the living members of a session, whoever their parent is now, and the descendants of its
 * leader, whatever session they have made. The leader itself is among them.
 */
export function processTree(leader: number, options: TreeOptions = {}): ProcessEntry[] {
  const all = listProcesses();
  const members = withDescendants(all, ({ pid, session }) => pid === leader || session === leader);
  const { spare } = options;
  // Asked of members only: everything descends from something that may well fit the question.
  const spared = withDescendants(all, (entry) => members.has(entry) && spare?.(entry) === true);
  return [...members].filter((entry) => !spared.has(entry) && !"ZX".includes(entry.state));
}

/** Kills a session and its descendants; returns when a look finds none, or after 3 seconds. */
export async function killTree(
  killer: Killer,
  leader: number,
  options: TreeOptions = {},
): Promise<void> {
  const deadline = performance.now() + MAX_SWEEP_MS;
  do {
    const pids = processTree(leader, options).map(({ pid }) => pid);
    if (pids.length === 0) return;
    await killer.kill(pids, 9);
    await delay(SWEEP_INTERVAL_MS);
  } while (performance.now() < deadline);
}
