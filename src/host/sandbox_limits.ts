import { warn } from "../base/log.ts";
import type { SandboxLimits } from "../runtimes/runtime.ts";

const VARIABLE = "KAROTTE_SANDBOX_MEMORY_BYTES";
const GIB = 1024 ** 3;
/** Processes and threads of a whole sandbox: the student's 2048 of the reference, and room for ours. */
const MAX_PROCESSES = 4096;

/** The machine keeps 1 GiB for itself unless the variable says what the sandbox gets. */
export function sandboxLimits(): SandboxLimits {
  return {
    memoryBytes: memoryFromVariable() ?? Math.max(GIB, Deno.systemMemoryInfo().total - GIB),
    processes: MAX_PROCESSES,
  };
}

function memoryFromVariable(): number | undefined {
  const text = Deno.env.get(VARIABLE);
  if (text === undefined || text === "") return undefined;
  const bytes = Number(text);
  if (Number.isSafeInteger(bytes) && bytes > GIB) return bytes;
  warn(`${VARIABLE}=${text} is ignored: expected a number of bytes above ${GIB}`);
  return undefined;
}
