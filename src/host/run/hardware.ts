import { warn } from "../../base/log.ts";
import type { SandboxLimits } from "../../runtimes/runtime.ts";
import { HARNESS_MEMORY_BYTES } from "../../schemas/hardware_limits.ts";
import type { TaskDescription } from "../../schemas/task_description.ts";
import type { RunPlugins } from "./run_plugins.ts";

/** The share of the machine that a run gets, and who says so. */
export interface Hardware {
  /** Null: neither the task nor a plugin names any. */
  readonly name: string | null;
  readonly limits: SandboxLimits;
  /** Whether its devices are handed through. */
  readonly passthrough: boolean;
  /** The limits and their sources for the user, in one line. */
  readonly told: string;
}

/** Gives the memory of a sandbox in bytes where no plugin does. */
const VARIABLE = "KAROTTE_SANDBOX_MEMORY_BYTES";
/** The most processes and threads of a sandbox: 2048 for the student, the rest for the harness. */
const MAX_PROCESSES = 4096;

/**
 * Returns the task's hardware and its limits: the plugin's, else the variable's, else all memory of
 * this machine but 1 GiB. Rejects with a plugin error if the plugin answers wrongly.
 */
export async function resolveHardware(
  task: TaskDescription,
  plugins: Pick<RunPlugins, "defaultHardware" | "hardwareLimits">,
): Promise<Hardware> {
  const name = task.required_hardware ?? plugins.defaultHardware ?? null;
  const lookup = plugins.hardwareLimits;
  const plugin = name === null ? null : await lookup?.limitsOf(name) ?? null;
  const { bytes, source } = sandboxMemory(plugin?.memory_bytes ?? null, lookup?.name);
  const kind = name === null ? "" : `hardware "${name}", `;
  return {
    name,
    passthrough: plugin?.passthrough ?? false,
    limits: { memoryBytes: bytes, processes: MAX_PROCESSES, cpus: plugin?.cpus ?? null },
    told: `limits: ${kind}sandbox memory ${bytes} bytes (${source}), ${MAX_PROCESSES} processes; ` +
      "none of the student's own",
  };
}

function sandboxMemory(
  fromPlugin: number | null,
  plugin: string | undefined,
): { bytes: number; source: string } {
  if (fromPlugin !== null) return { bytes: fromPlugin, source: `plugin entry "${plugin}"` };
  const fromVariable = memoryFromVariable();
  if (fromVariable !== undefined) return { bytes: fromVariable, source: VARIABLE };
  const bytes = Math.max(
    HARNESS_MEMORY_BYTES,
    Deno.systemMemoryInfo().total - HARNESS_MEMORY_BYTES,
  );
  return { bytes, source: "this machine's, without 1 GiB" };
}

function memoryFromVariable(): number | undefined {
  const text = Deno.env.get(VARIABLE);
  if (text === undefined || text === "") return undefined;
  const bytes = Number(text);
  if (Number.isSafeInteger(bytes) && bytes > HARNESS_MEMORY_BYTES) return bytes;
  warn(`${VARIABLE}=${text} is ignored: expected a number of bytes above ${HARNESS_MEMORY_BYTES}`);
  return undefined;
}
