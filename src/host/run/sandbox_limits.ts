import { byteCount } from "../../base/byte_count.ts";
import type { Runtime, RuntimeInfo, SandboxLimits } from "../../runtimes/runtime.ts";
import type { KeptLimits } from "../../runtimes/abilities.ts";
import { HARNESS_MEMORY_BYTES } from "../../schemas/hardware_limits.ts";
import type { SandboxMemory } from "../../schemas/student_limits.ts";
import type { Hardware } from "./hardware.ts";
import type { StatedMemory } from "./memory_variable.ts";

/** The most processes and threads of a sandbox: 2048 for the student, the rest for the harness. */
const MAX_PROCESSES = 4096;

/** The limits of a sandbox as a whole. */
export interface ToldLimits {
  readonly limits: SandboxLimits;
  /** The limits, their sources and which of them the runtime does not keep, in one line. */
  readonly told: string;
  /**
   * The memory that the harness is told of; undefined: its sandbox has a control group that it can
   * read, or sees how much its machine has.
   */
  readonly memory: SandboxMemory | undefined;
}

/**
 * Returns the limits of a sandbox with this hardware on a runtime. Where nobody names its memory it
 * is that of the machine where the runtime's sandboxes are, which need not be this one, less 1 GiB.
 */
export function sandboxLimits(
  hardware: Hardware,
  { name, abilities }: Pick<Runtime, "name" | "abilities">,
  { memoryBytes }: Pick<RuntimeInfo, "memoryBytes">,
): ToldLimits {
  const { cpus, diskBytes } = hardware;
  const memory = hardware.memory ?? machineMemory(name, memoryBytes);
  const limit = (kind: keyof KeptLimits, value: string) =>
    abilities.limits[kind] === "not kept" ? `${value} (not kept by ${name})` : value;
  const parts = [
    ...(hardware.name === null ? [] : [`hardware "${hardware.name}"`]),
    memory === undefined
      ? `sandbox memory not limited: ${name} does not say how much its machine has`
      : `sandbox memory ${limit("memory", `${byteCount(memory.bytes)}, by ${memory.by}`)}`,
    limit("processes", `${MAX_PROCESSES} processes`),
    ...(cpus === null ? [] : [limit("cpus", `processors ${cpus}`)]),
    ...(diskBytes === null ? [] : [limit("disk", `disk ${byteCount(diskBytes)}`)]),
  ];
  return {
    limits: { memoryBytes: memory?.bytes ?? null, processes: MAX_PROCESSES, cpus },
    told: `limits: ${parts.join("; ")}`,
    // Of bubblewrap's control groups a sandbox sees nothing where none could be made.
    memory: hardware.memory !== null || abilities.content === "files" ? memory : undefined,
  };
}

function machineMemory(runtime: string, bytes: number | undefined): StatedMemory | undefined {
  if (bytes === undefined) return undefined;
  const left = Math.max(HARNESS_MEMORY_BYTES, bytes - HARNESS_MEMORY_BYTES);
  return { bytes: left, source: "machine", by: `${runtime}'s machine, which keeps 1 GiB` };
}
