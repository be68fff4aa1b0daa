import type { SandboxLimits } from "../runtime.ts";
import { readIfThere } from "./accounts.ts";
import { type ControlHierarchies, findHierarchies } from "./control_hierarchies.ts";
import { HostProcess } from "./processes.ts";

/** Control groups of the host around one sandbox; none at all where the caller may not make any. */
export interface ControlGroup extends AsyncDisposable {
  /** A process that writes its pid into each of them is in. */
  readonly joinFiles: readonly string[];
  /** Folders that the sandbox is shown, read-only, so that it can tell what it uses. */
  readonly shown: readonly { readonly source: string; readonly target: string }[];
  /** The limits that were asked for and could not be set. */
  readonly missing: readonly ("memory" | "processes")[];
  /** Whether a limit was hit so far. */
  exhausted(): Promise<boolean>;
  /** Ends all processes in the group, where the kernel has a way. */
  kill(): Promise<void>;
}

/** Makes the groups that `limits` need, named `name`, and sets the limits. */
export async function createControlGroup(
  name: string,
  limits: SandboxLimits,
  hierarchies: ControlHierarchies = findHierarchies(),
): Promise<ControlGroup> {
  await using stack = new AsyncDisposableStack();
  const folders = new Set<string>();
  const make = async (parent: string | undefined): Promise<string | undefined> => {
    if (parent === undefined) return undefined;
    const folder = `${parent}/${name}`;
    if (folders.has(folder)) return folder;
    if (!await succeeds(() => Deno.mkdir(folder))) return undefined;
    folders.add(folder);
    stack.defer(() => removeGroup(folder));
    return folder;
  };
  const missing: ("memory" | "processes")[] = [];
  const { memory, pids, unified } = hierarchies;

  const memoryGroup = limits.memoryBytes === null ? undefined : await make(memory?.folder);
  if (limits.memoryBytes !== null) {
    const set = memoryGroup !== undefined && memory !== undefined &&
      await limitMemory(memoryGroup, memory.version, limits.memoryBytes);
    if (!set) missing.push("memory");
  }
  const pidsGroup = limits.processes === null ? undefined : await make(pids?.folder);
  if (limits.processes !== null) {
    const set = pidsGroup !== undefined && await write(`${pidsGroup}/pids.max`, limits.processes);
    if (!set) missing.push("processes");
  }
  const unifiedGroup = await make(unified);

  const owned = stack.move();
  return {
    joinFiles: [...folders].map((folder) => `${folder}/cgroup.procs`),
    shown: shownFolders({ memory: memory?.version, memoryGroup, unifiedGroup }),
    missing,
    async exhausted() {
      const counts = await Promise.all([
        memoryGroup && count(`${memoryGroup}/memory.oom_control`, "oom_kill"),
        memoryGroup && count(`${memoryGroup}/memory.events`, "oom_kill"),
        pidsGroup && count(`${pidsGroup}/pids.events`, "max"),
      ]);
      return counts.some((value) => (value || 0) > 0);
    },
    async kill() {
      // Only kernels from 5.14 have the file; the caller does not rely on it.
      if (unifiedGroup !== undefined) await write(`${unifiedGroup}/cgroup.kill`, 1);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Places are those of engines: a folder a controller in version 1, one for all in version 2. */
function shownFolders({ memory, memoryGroup, unifiedGroup }: {
  readonly memory: 1 | 2 | undefined;
  readonly memoryGroup: string | undefined;
  readonly unifiedGroup: string | undefined;
}): ControlGroup["shown"] {
  if (memoryGroup === undefined) return [];
  if (memory === 2) return [{ source: memoryGroup, target: "/sys/fs/cgroup" }];
  return [
    { source: memoryGroup, target: "/sys/fs/cgroup/memory" },
    ...(unifiedGroup === undefined
      ? []
      : [{ source: unifiedGroup, target: "/sys/fs/cgroup/unified" }]),
  ];
}

/** Where `createControlGroup` may make groups of that name. */
export function groupFolders(name: string, hierarchies = findHierarchies()): string[] {
  const { memory, pids, unified } = hierarchies;
  const parents = new Set([memory?.folder, pids?.folder, unified]);
  return [...parents].flatMap((parent) => parent === undefined ? [] : [`${parent}/${name}`]);
}

/**
 * Ends what runs in a group that a dead owner left, and removes it; one that is not there is fine.
 */
export async function removeControlGroup(folder: string): Promise<void> {
  for (const pid of readIfThere(`${folder}/cgroup.procs`).split("\n").filter(Boolean)) {
    new HostProcess(Number(pid)).kill();
  }
  await removeGroup(folder);
}

async function limitMemory(group: string, version: 1 | 2, bytes: number): Promise<boolean> {
  if (version === 2) {
    // Swap is not there in every kernel.
    await write(`${group}/memory.swap.max`, 0);
    return await write(`${group}/memory.max`, bytes);
  }
  if (!await write(`${group}/memory.limit_in_bytes`, bytes)) return false;
  await write(`${group}/memory.memsw.limit_in_bytes`, bytes);
  return true;
}

async function count(file: string, key: string): Promise<number> {
  let text: string;
  try {
    text = await Deno.readTextFile(file);
  } catch {
    // The file of the other version of control groups.
    return 0;
  }
  const line = text.split("\n").find((each) => each.startsWith(`${key} `));
  return Number(line?.slice(key.length + 1) ?? 0);
}

function write(file: string, value: number): Promise<boolean> {
  return succeeds(() => Deno.writeTextFile(file, String(value), { create: false }));
}

/**
 * False where the kernel or the file's mode refuses: what can't be limited is reported, not fatal.
 */
async function succeeds(action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch {
    return false;
  }
}

const REMOVE_ATTEMPTS = 50;

/** A group is busy for a moment after its last process was reaped. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      return await Deno.remove(folder);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      if (attempt === REMOVE_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
