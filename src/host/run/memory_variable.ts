import { KarotteError } from "../../base/errors.ts";
import { HARNESS_MEMORY_BYTES } from "../../schemas/hardware_limits.ts";
import type { SandboxMemory } from "../../schemas/student_limits.ts";

/** An amount of memory that somebody named. */
export interface StatedMemory extends SandboxMemory {
  /** The plugin's entry or the variable, for the user. */
  readonly by: string;
}

/** Variables with the memory of a sandbox in bytes; one that is empty counts as unset. */
const VARIABLES = ["KAROTTE_SANDBOX_MEMORY_BYTES", "CHALK_SANDBOX_MEMORY_BYTES"] as const;

/**
 * Returns the memory that a variable names; undefined: none is set. Throws a usage error for what
 * is no number of bytes, or not more than the harness keeps for itself.
 */
export function memoryFromVariable(
  readVariable: (name: string) => string | undefined = (name) => Deno.env.get(name),
): StatedMemory | undefined {
  const by = VARIABLES.find((name) => readVariable(name));
  if (by === undefined) return undefined;
  const text = readVariable(by) ?? "";
  const bytes = /^\d+$/.test(text.trim()) ? Number(text) : NaN;
  if (Number.isSafeInteger(bytes) && bytes > HARNESS_MEMORY_BYTES) {
    return { bytes, source: "variable", by };
  }
  throw new KarotteError("usage", `Cannot use ${by}=${text}: expected more than 1 GiB`, {
    hint: `the harness keeps ${HARNESS_MEMORY_BYTES} bytes, the student gets what is left; ` +
      "write a whole number of bytes, 2147483648 for 2 GiB",
  });
}
