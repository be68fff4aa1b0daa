/**
 * The machines of a team: what tasks get that ask for nothing, and a GPU for those that ask for
 * one.
 *
 *   karotte run --task NAME --with ./plugins/gpu.ts
 */
import { definePlugin, type HardwareLimits, type TaskDescription } from "@karotte/cli/sdk";

const GIBIBYTE = 1024 ** 3;

const MACHINES: Readonly<Record<string, HardwareLimits>> = {
  small: { memory_bytes: 2 * GIBIBYTE, cpus: 1 },
  gpu: { memory_bytes: 64 * GIBIBYTE, cpus: 8, passthrough: true },
};

export default definePlugin({
  name: "gpu",
  entryPoints: {
    "karotte.default_hardware": { gpu: "small" },
    "karotte.hardware_limits": { gpu: limitsOf },
    "karotte.container_run_args": { gpu: runArguments },
  },
});

/** Null, not an error, for what we don't know: Karotte warns and goes without its limits. */
function limitsOf(hardware: string): HardwareLimits | null {
  return Object.hasOwn(MACHINES, hardware) ? MACHINES[hardware] ?? null : null;
}

/** Every runtime asks; only docker has this flag. */
function runArguments(task: TaskDescription, runtime: string): string[] {
  return task.required_hardware === "gpu" && runtime === "docker" ? ["--gpus", "all"] : [];
}
