/** One line of the process table, from `/proc/<pid>/stat`. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** Clock ticks between boot and the start of the process. */
  readonly startTicks: number;
  /** `Z` for a zombie. */
  readonly state: string;
  /**
   * The program's name as the kernel has it, of 15 bytes at most; any program can choose its own.
   */
  readonly name: string;
}

/** Lists every process that can be seen; one that ends meanwhile is left out. */
export function listProcesses(): ProcessEntry[] {
  return listPids().flatMap((pid) => processEntry(pid) ?? []);
}

/** Lists the processes with this real, effective or saved user, zombies left out. */
export function listProcessesOfUser(uid: number): number[] {
  return listPids().filter((pid) => userStateOf(pid, uid) === "alive");
}

/** Counts the zombies of a user: they have ended, and still fill a limit of processes. */
export function countZombiesOfUser(uid: number): number {
  return listPids().filter((pid) => userStateOf(pid, uid) === "zombie").length;
}

/** Undefined for a process of others, or none. */
function userStateOf(pid: number, uid: number): "alive" | "zombie" | undefined {
  const status = readIfThere(`/proc/${pid}/status`);
  if (status === undefined) return undefined;
  // Not the owner of /proc/<pid>: that is root where the process has made itself unreadable.
  const ids = /^Uid:\s+(\d+)\s+(\d+)\s+(\d+)/m.exec(status);
  if (ids === null || !ids.slice(1).some((id) => Number(id) === uid)) return undefined;
  if (!/^State:\s+[ZX]/m.test(status)) return "alive";
  // A first thread that has ended is shown as a zombie while others of the process run on.
  return Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]) > 1 ? "alive" : "zombie";
}

/** Returns the pid that the kernel gave last; unchanged, nothing was started in between. */
export function lastPid(): string {
  return Deno.readTextFileSync("/proc/loadavg").trim().split(" ").at(-1) ?? "";
}

/** Lists the children that a process has now, zombies included. */
export function childrenOf(pid: number): number[] {
  const listed = readIfThere(`/proc/${pid}/task/${pid}/children`);
  if (listed !== undefined) return listed.split(" ").filter(Boolean).map(Number);
  return listProcesses().filter(({ parent }) => parent === pid).map((entry) => entry.pid);
}

/** Lists all that descends from a process now, outer ones first, zombies included. */
export function descendantsOf(pid: number): ProcessEntry[] {
  return [...withDescendants(listProcesses(), ({ parent }) => parent === pid)];
}

/** Selects the roots among some processes and all that descends from them, outer ones first. */
export function withDescendants(
  all: readonly ProcessEntry[],
  isRoot: (entry: ProcessEntry) => boolean,
): Set<ProcessEntry> {
  const children = Map.groupBy(all, ({ parent }) => parent);
  const found = new Set(all.filter(isRoot));
  // A Set's iteration reaches what is added meanwhile.
  for (const { pid } of found) {
    for (const child of children.get(pid) ?? []) found.add(child);
  }
  return found;
}

/** Returns when a process started, in clock ticks since boot; undefined: it is gone or a zombie. */
export function startTicksOf(pid: number): number | undefined {
  const entry = processEntry(pid);
  return entry === undefined || /[ZX]/.test(entry.state) ? undefined : entry.startTicks;
}

function listPids(): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter(Number.isInteger);
}

/** Returns one process, which may be a zombie; undefined if there is none of this number. */
export function processEntry(pid: number): ProcessEntry | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The program's name, in brackets, may hold anything but ends at the last bracket.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields === undefined) return undefined;
  const [state = "", parent, , session] = fields;
  return {
    pid,
    state,
    name: stat?.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")) ?? "",
    parent: Number(parent),
    session: Number(session),
    startTicks: Number(fields[19]),
  };
}

function readIfThere(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    // It ended between open and read; Deno 2.6 gives that error no code.
    if (/\(os error 3\)|ESRCH/.test(String(error))) return undefined;
    throw error;
  }
}
