import { type CompleteHardwareLimits, hardwareLimitsSchema } from "../schemas/hardware_limits.ts";
import { problems } from "../schemas/problems.ts";
import type { HardwareLimitsFunction } from "../sdk/entry_point_values.ts";
import { callPlugin, type LoadedEntry, pluginError } from "./entry.ts";
import { entryPoint, functionOf } from "./entry_point.ts";
import { firstLoaded } from "./merge.ts";

/** What the plugin says of a kind of hardware. */
export interface HardwareLimitsLookup {
  /** Name of the entry that is asked. */
  readonly name: string;
  /** Names of the entries after it, which are not asked. */
  readonly notAsked: readonly string[];
  /**
   * Null: it does not know the hardware. Rejects with a plugin error if it throws or answers
   * wrongly.
   */
  limitsOf(hardware: string): Promise<CompleteHardwareLimits | null>;
}

/**
 * A function from the name of a kind of hardware to what it allows. Only the first by name that
 * loads is asked.
 *
 * ```ts
 * "karotte.hardware_limits": {
 *   acme: (hardware) =>
 *     hardware === "gpu" ? { memory_bytes: 64 * 1024 ** 3, passthrough: true } : null,
 * }
 * ```
 */
export const hardwareLimits = entryPoint({
  group: "karotte.hardware_limits",
  summary: "A function from hardware to its limits, or null.",
  check: functionOf<HardwareLimitsFunction>(),
  whenSkipped: "the limits that it knows are not set",
  async merge(entries): Promise<HardwareLimitsLookup | undefined> {
    const first = await firstLoaded(entries);
    if (first === undefined) return undefined;
    const { name } = first.origin;
    const names = entries.map(({ origin }) => origin.name);
    return {
      name,
      notAsked: names.slice(names.indexOf(name) + 1),
      limitsOf: (hardware) => limitsOf(first, hardware),
    };
  },
  show: (lookup) => lookup?.name ?? null,
});

async function limitsOf(
  entry: LoadedEntry<HardwareLimitsFunction>,
  hardware: string,
): Promise<CompleteHardwareLimits | null> {
  const answer: unknown = await callPlugin<unknown>(entry, () => entry.value(hardware));
  // The original's functions return None where they come to no `return`.
  if (answer === null || answer === undefined) return null;
  const checked = hardwareLimitsSchema.safeParse(answer);
  if (checked.success) return checked.data;
  const found = problems(checked.error, answer).join("; ");
  throw pluginError(entry.origin, `wrong limits for hardware "${hardware}": ${found}`);
}
