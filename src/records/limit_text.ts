import type { StepLimitReached } from "../schemas/transcript.ts";

/** Returns for example `step 0 ended at its time limit of 2 seconds, 0.3 over it: it is scored`. */
export function limitText(reached: StepLimitReached): string {
  const { step, limit, unit, allowed, overrun, outcome, reason } = reached;
  const size = allowed === null ? "" : ` of ${count(allowed)} ${unit}`;
  const over = overrun === null ? "" : `, ${count(overrun)} over it`;
  const then = outcome === "score" ? "it is scored" : "the run ends";
  const why = reason === null ? "" : ` (${reason})`;
  return `step ${step} ended at its ${limit} limit${size}${over}${why}: ${then}`;
}

function count(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 3 });
}
