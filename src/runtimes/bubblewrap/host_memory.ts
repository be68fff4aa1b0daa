import { readIfThere } from "./accounts.ts";
import { below, parseMountInfo, parseOwnGroups } from "./control_hierarchies.ts";

/**
 * Returns the memory that sandboxes of this machine can have, in bytes: all of it, or less where
 * control groups around their own have a limit, as in a container.
 */
export function hostMemory(): number {
  const mounts = parseMountInfo(readIfThere("/proc/self/mountinfo"));
  const groups = parseOwnGroups(readIfThere("/proc/self/cgroup"));
  const limits = mounts.map((mount) => {
    // In version 2 sandboxes are made below the top that we see.
    if (mount.type === "cgroup2") return limitIn(readIfThere(`${mount.point}/memory.max`));
    if (!mount.options.includes("memory")) return Infinity;
    return hierarchicalLimitIn(readIfThere(`${below(mount, groups.get("memory"))}/memory.stat`));
  });
  return Math.min(Deno.systemMemoryInfo().total, ...limits);
}

/** Reads a `memory.max`; infinite where there is no limit, or no such file. */
export function limitIn(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Infinity;
}

/** Reads from a `memory.stat` of version 1 the tightest limit from the top down to its group. */
export function hierarchicalLimitIn(text: string): number {
  return Number(/^hierarchical_memory_limit (\d+)$/m.exec(text)?.[1] ?? Infinity);
}
