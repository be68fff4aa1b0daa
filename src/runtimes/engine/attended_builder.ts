import type { Child } from "../../base/process.ts";
import { listProcesses, type ProcessEntry } from "../../base/process_table.ts";

/** Looks after what a builder starts, once the build is interrupted. */
export interface AttendedBuilder {
  started(builder: Child): void;
  /** The builder has ended: what is left of an interrupted build is killed. */
  ended(): void;
}

const LOOK_INTERVAL_MS = 50;

/**
 * An interrupted podman may end and leave the step that it was at to itself, in a session of its
 * own. So from the interrupt on what descends from the builder is remembered, and killed after it.
 * Of a daemon's builds there is nothing to find here.
 */
export function attendBuilder(signal: AbortSignal | undefined): AttendedBuilder {
  const seen = new Map<number, ProcessEntry>();
  let builder: number | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    if (builder === undefined) return;
    for (const entry of descendantsOf(builder)) seen.set(entry.pid, entry);
  };
  const interrupted = () => {
    look();
    timer = setInterval(look, LOOK_INTERVAL_MS);
  };
  return {
    started({ pid }) {
      builder = pid;
      // Before the signal reaches the builder: this listener is older than the one that sends it.
      signal?.addEventListener("abort", interrupted, { once: true });
    },
    ended() {
      clearInterval(timer);
      signal?.removeEventListener("abort", interrupted);
      killThoseLeft([...seen.values()]);
    },
  };
}

function descendantsOf(ancestor: number): ProcessEntry[] {
  const all = listProcesses();
  const found: ProcessEntry[] = [];
  for (let parents = new Set([ancestor]); parents.size > 0;) {
    const children = all.filter(({ parent }) => parents.has(parent));
    found.push(...children);
    parents = new Set(children.map(({ pid }) => pid));
  }
  return found;
}

function killThoseLeft(entries: readonly ProcessEntry[]): void {
  if (entries.length === 0) return;
  const startOf = new Map(listProcesses().map(({ pid, startTicks }) => [pid, startTicks]));
  for (const { pid, startTicks } of entries) {
    if (startOf.get(pid) !== startTicks) continue; // gone, or another process of the same number
    try {
      Deno.kill(pid, "SIGKILL");
    } catch (error) {
      // It ended just now, or belongs to an id that only the builder could signal.
      if (
        !(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)
      ) {
        throw error;
      }
    }
  }
}
