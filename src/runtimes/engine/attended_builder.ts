import type { Child } from "../../base/process.ts";
import { descendantsOf, type ProcessEntry, startTicksOf } from "../../base/process_table.ts";

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

function killThoseLeft(entries: readonly ProcessEntry[]): void {
  for (const { pid, startTicks } of entries) {
    if (startTicksOf(pid) !== startTicks) continue; // gone, or another process of the same number
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
