import { warn } from "../../base/log.ts";
import type { HardwareLimitsLookup } from "../../entry_points/hardware_limits.ts";
import type { CompleteHardwareLimits } from "../../schemas/hardware_limits.ts";
import { memoryFromVariable, type StatedMemory } from "./memory_variable.ts";

/** The share of a machine that a task's hardware stands for, and who says so. */
export interface Hardware {
  /** Null: neither the task nor a plugin names any. */
  readonly name: string | null;
  /** Whether its devices are handed through. */
  readonly passthrough: boolean;
  /** The memory of the sandbox; null: nobody says, so it is that of the runtime's machine. */
  readonly memory: StatedMemory | null;
  readonly diskBytes: number | null;
  /** Processors' worth of time. */
  readonly cpus: number | null;
  /** What the hardware's name did not bring about, for the transcript; the user was told. */
  readonly warnings: readonly string[];
}

/**
 * Returns what hardware of a name allows: memory by the plugin, else by the variable. Hardware that
 * no plugin knows is only warned of. Rejects with a plugin error if the plugin answers wrongly, and
 * with a usage error for a variable that leaves the student nothing.
 */
export async function resolveHardware(
  name: string | null,
  lookup: HardwareLimitsLookup | undefined,
): Promise<Hardware> {
  const plugin = name === null ? null : await lookup?.limitsOf(name) ?? null;
  const warnings = name === null ? [] : warningsOf(name, lookup, plugin);
  for (const warning of warnings) warn(warning);
  const stated = plugin?.memory_bytes ?? null;
  return {
    name,
    passthrough: plugin?.passthrough ?? false,
    memory: stated === null
      ? memoryFromVariable() ?? null
      : { bytes: stated, source: "plugin", by: `plugin entry "${lookup?.name}"` },
    diskBytes: plugin?.disk_bytes ?? null,
    cpus: plugin?.cpus ?? null,
    warnings,
  };
}

function warningsOf(
  name: string,
  lookup: HardwareLimitsLookup | undefined,
  plugin: CompleteHardwareLimits | null,
): string[] {
  const others = lookup?.notAsked.map((other) => `"${other}"`).join(", ") ?? "";
  const unasked = others === ""
    ? []
    : [`hardware_limits of ${others} not asked: only the first by name is, "${lookup?.name}"`];
  if (plugin !== null) return unasked;
  const who = lookup === undefined
    ? "there is no plugin with hardware_limits"
    : `hardware_limits of "${lookup.name}" does not know it`;
  return [`hardware "${name}" sets no limits: ${who}`, ...unasked];
}
