import { HARNESS_MEMORY_BYTES } from "../../schemas/hardware_limits.ts";
import type { SandboxMemory, StudentLimits } from "../../schemas/student_limits.ts";
import { sandboxResources } from "./control_group.ts";

/** What a sandbox can be asked for its memory. */
export interface MemorySources {
  /** Returns the limit of the sandbox's control group in bytes; null: it has none to be read. */
  controlGroup(): number | null;
  /** Returns all memory of the machine as the sandbox sees it, in bytes. */
  machine(): number;
}

/**
 * Returns the limits of the student in this sandbox: its memory is that of the sandbox less what
 * the harness keeps. The sandbox's is what the host says of it, else that of its control group,
 * else the machine's.
 */
export function studentLimits(
  stated: SandboxMemory | undefined,
  sources: MemorySources = { controlGroup, machine: () => Deno.systemMemoryInfo().total },
): StudentLimits {
  const { bytes, source } = stated ?? found(sources);
  const left = bytes - HARNESS_MEMORY_BYTES;
  return {
    sandbox_memory_bytes: bytes,
    sandbox_memory_source: source,
    student_memory_bytes: left > 0 ? left : null,
    contracts: { memory: "not_supported" },
  };
}

function found({ controlGroup, machine }: MemorySources): SandboxMemory {
  const limit = controlGroup();
  return limit === null
    ? { bytes: machine(), source: "machine" }
    : { bytes: limit, source: "control_group" };
}

function controlGroup(): number | null {
  try {
    return sandboxResources()?.().memoryLimitBytes ?? null;
  } catch {
    // One that can't be read says nothing, as one that is not there; the source is recorded.
    return null;
  }
}
