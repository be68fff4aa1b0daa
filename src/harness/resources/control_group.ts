import { isReachableFileSync, isReachableSync } from "../../base/files.ts";

/** What the kernel counts of a sandbox, at one moment; null: it does not tell. */
export interface ResourceCounts {
  /** Processor time used so far, in microseconds. */
  readonly cpuMicroseconds: number;
  /** Memory in use, in bytes. */
  readonly memoryBytes: number;
  /** The most memory that was ever in use, in bytes; null: the kernel does not say. */
  readonly peakMemoryBytes: number | null;
  /** The limit of memory in bytes; null: there is none. */
  readonly memoryLimitBytes: number | null;
  /** The processes that the kernel killed so far for want of memory; null: it does not say. */
  readonly memoryKills: number | null;
}

/** Reads the counts of the sandbox that this process is in. Throws what the file system says. */
export type ResourceReader = () => ResourceCounts;

/** The place where sandboxes have their control groups: of version 2, or a folder a controller. */
const CONTROL_GROUPS = "/sys/fs/cgroup";
/** Limits from here on are those of a group without any. */
const UNLIMITED = 2 ** 60;

/**
 * Returns the reader of the sandbox's own control groups; undefined where it has none that can be
 * read: those of the whole machine say nothing of it.
 */
export function sandboxResources(root: string = CONTROL_GROUPS): ResourceReader | undefined {
  // gVisor shows files of its own making, which count nothing.
  if (isReachableSync("/proc/sentry-meminfo")) return undefined;
  const memory = memoryReader(root);
  const cpu = cpuReader(root);
  if (memory === undefined || cpu === undefined) return undefined;
  return () => ({ cpuMicroseconds: cpu(), ...memory() });
}

type MemoryCounts = Omit<ResourceCounts, "cpuMicroseconds">;

function memoryReader(root: string): (() => MemoryCounts) | undefined {
  if (isOwnUnified(root) && isReachableFileSync(`${root}/memory.current`)) {
    return () => ({
      memoryBytes: numberIn(`${root}/memory.current`),
      peakMemoryBytes: ifReadable(() => numberIn(`${root}/memory.peak`)),
      memoryLimitBytes: limitIn(`${root}/memory.max`),
      memoryKills: ifReadable(() => countIn(`${root}/memory.events`, "oom_kill")),
    });
  }
  const folder = `${root}/memory`;
  if (!isOwnOfVersion1(folder, "memory.usage_in_bytes")) return undefined;
  return () => ({
    memoryBytes: numberIn(`${folder}/memory.usage_in_bytes`),
    peakMemoryBytes: ifReadable(() => numberIn(`${folder}/memory.max_usage_in_bytes`)),
    memoryLimitBytes: limitIn(`${folder}/memory.limit_in_bytes`),
    memoryKills: ifReadable(() => countIn(`${folder}/memory.oom_control`, "oom_kill")),
  });
}

function cpuReader(root: string): (() => number) | undefined {
  for (const folder of [root, `${root}/unified`]) {
    if (!isOwnUnified(folder) || !isReachableFileSync(`${folder}/cpu.stat`)) continue;
    return () => countIn(`${folder}/cpu.stat`, "usage_usec");
  }
  for (const folder of [`${root}/cpuacct`, `${root}/cpu,cpuacct`]) {
    if (!isOwnOfVersion1(folder, "cpuacct.usage")) continue;
    return () => Math.floor(numberIn(`${folder}/cpuacct.usage`) / 1000);
  }
  return undefined;
}

/** Only groups below the top have this file. */
function isOwnUnified(folder: string): boolean {
  return isReachableFileSync(`${folder}/cgroup.events`);
}

/** Only the top has `release_agent`. */
function isOwnOfVersion1(folder: string, file: string): boolean {
  return isReachableFileSync(`${folder}/${file}`) &&
    !isReachableFileSync(`${folder}/release_agent`);
}

function numberIn(file: string): number {
  const text = Deno.readTextFileSync(file).trim();
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`"${file}" is no number: ${JSON.stringify(text.slice(0, 50))}`);
}

function limitIn(file: string): number | null {
  const text = Deno.readTextFileSync(file).trim();
  const limit = text === "max" ? Infinity : Number(text);
  return limit < UNLIMITED ? limit : null;
}

function countIn(file: string, key: string): number {
  const text = Deno.readTextFileSync(file);
  const line = text.split("\n").find((each) => each.startsWith(`${key} `));
  if (line !== undefined) return Number(line.slice(key.length + 1));
  throw new Error(`"${file}" does not count "${key}"`);
}

/** Older kernels lack some files and lines. */
function ifReadable(read: () => number): number | null {
  try {
    return read();
  } catch {
    return null;
  }
}
