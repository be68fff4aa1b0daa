import { listeningSockets } from "../../base/listening_sockets.ts";
import { listProcessesOfUser, type ProcessEntry, processEntry } from "../../base/process_table.ts";
import type { ProcessReport } from "../../schemas/step_end.ts";
import type { StudentFiles } from "./student_files.ts";

/** Processes and loose sockets that a report names. */
const SHOWN = 20;
/** Clock ticks a second, as the kernel shows them everywhere. */
const TICKS = 100;

interface Looked {
  readonly uid: number;
  readonly files: StudentFiles;
  /** Programs that the harness started for the student. */
  readonly started: ReadonlySet<number>;
}

/**
 * Tells which processes the student has. A look at something that moves, for people to read: what
 * counts is that none is left after `killAll`.
 */
export async function reportProcesses({ uid, files, started }: Looked): Promise<ProcessReport> {
  const entries = listProcessesOfUser(uid).flatMap((pid) => processEntry(pid) ?? []);
  const addresses = new Map(
    listeningSockets().filter((socket) => socket.uid === undefined || socket.uid === uid)
      .map((socket) => [socket.inode, socket]),
  );
  const open = addresses.size === 0
    ? new Map<number, string[]>()
    : await files.socketsOf(entries.map(({ pid }) => pid));
  const listeningOf = (pid: number) =>
    (open.get(pid) ?? []).flatMap((inode) => addresses.get(inode)?.address ?? []);
  const known = entries.map((entry) => ({ entry, listening: listeningOf(entry.pid) }))
    .filter(({ entry, listening }) => listening.length > 0 || !isIdleShell(entry, started))
    .sort((a, b) =>
      Number(b.listening.length > 0) - Number(a.listening.length > 0) ||
      a.entry.startTicks - b.entry.startTicks
    );
  const owned = new Set([...open.values()].flat());
  const loose = [...addresses.values()].filter((socket) =>
    socket.uid === uid && !owned.has(socket.inode)
  );
  return {
    count: known.length,
    processes: known.slice(0, SHOWN).map(({ entry, listening }) => ({
      name: entry.name,
      age_seconds: ageSeconds(entry),
      listening: listening.slice(0, SHOWN),
    })),
    other_listening: loose.slice(0, SHOWN).map(({ address }) => address),
  };
}

/** The shell of the `bash` tool, which every run that uses it has. */
function isIdleShell({ pid, name }: ProcessEntry, started: ReadonlySet<number>): boolean {
  return started.has(pid) && name === "bash";
}

function ageSeconds({ startTicks }: ProcessEntry): number {
  const uptime = Number(Deno.readTextFileSync("/proc/uptime").split(" ")[0]);
  return Math.max(0, Math.round((uptime - startTicks / TICKS) * 100) / 100);
}
