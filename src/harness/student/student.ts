import { isOrdinaryUser } from "../../base/act_as_user.ts";
import { type Child, run, spawn } from "../../base/process.ts";
import { STUDENT } from "../../protocol/layout.ts";
import {
  type Student,
  StudentFileError,
  type StudentRunOptions,
  type StudentRunResult,
} from "../../sdk/student.ts";
import type { ProcessReport } from "../../schemas/step_end.ts";
import { killAllProcesses } from "./kill_all.ts";
import { reportProcesses } from "./process_report.ts";
import { killTree } from "./process_tree.ts";
import { studentArgv } from "./student_argv.ts";
import { StudentFiles } from "./student_files.ts";

const DEFAULT_RUN_TIMEOUT_MS = 60_000;
/** The longest delay that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const DEFAULT_MAX_FILE_BYTES = 256 * 1024 * 1024;

export interface StudentOptions {
  uid: number;
  gid: number;
  home: string;
  /** All that its processes have, but for HOME, USER and LOGNAME, which are added. */
  variables: Readonly<Record<string, string>>;
}

/** The student as the harness needs it: what tasks get, and what its tools are made of. */
export interface HarnessStudent extends Student, Disposable {
  readonly gid: number;
  /** All that its processes have. */
  readonly variables: Readonly<Record<string, string>>;
  /** Parts of files and signals, with the student's rights. */
  readonly files: StudentFiles;
  /** How many times all its processes were killed. */
  readonly killings: number;
  /** See `Student.killAll`; gives up after `deadlineMs`, 15 seconds if absent. */
  killAll(options?: { deadlineMs?: number }): Promise<void>;
  /** Tells which processes it has, for people to read: it can hide what is in the report. */
  processes(): Promise<ProcessReport>;
  /**
   * Starts a program in a session of its own, stdin piped, in `home`. `/dev/stdout` and
   * `/dev/stderr` can be opened by name. It has the variables of `env` and no others.
   */
  startSession(argv: readonly string[], env: Readonly<Record<string, string>>): Child;
}

/**
 * Returns the account under test. Throws a `RangeError` for root; what else is missing here
 * (`setpriv`, root's rights) shows at the first use. Dispose it when the run is over.
 */
export function createStudent(options: StudentOptions): HarnessStudent {
  const { uid, gid, home } = options;
  for (const id of [uid, gid]) {
    if (!isOrdinaryUser(id)) throw new RangeError(`The student can't be user ${id}`);
  }
  const files = new StudentFiles({ uid, gid });
  const started = new Set<number>();
  let killings = 0;
  const variables = {
    ...options.variables,
    HOME: home,
    USER: STUDENT.name,
    LOGNAME: STUDENT.name,
  };

  function noteStart({ pid, status }: Child): void {
    started.add(pid);
    // A status never fails; the set is what killAll waits for.
    status.then(() => started.delete(pid));
  }

  async function runAsStudent(
    argv: readonly string[],
    options: StudentRunOptions = {},
  ): Promise<StudentRunResult> {
    if (argv.length === 0) throw new TypeError("run needs a program");
    options.signal?.throwIfAborted();
    const stop = new Stop((leader) => killTree(files, leader));
    const timeoutMs = Math.min(options.timeoutMs ?? DEFAULT_RUN_TIMEOUT_MS, MAX_TIMER_MS);
    const timer = setTimeout(() => stop.now(), timeoutMs);
    const abort = () => stop.now();
    options.signal?.addEventListener("abort", abort);
    try {
      const { code, stdout, stderr } = await run(
        studentArgv(argv, {
          ...{ uid, gid, folder: options.cwd ?? home },
          variables: { ...variables, ...options.env },
        }),
        {
          cwd: "/",
          clearEnv: true,
          onSpawn: (child) => {
            noteStart(child);
            stop.leader = child.pid;
          },
          ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
          ...(options.maxOutputBytes === undefined
            ? {}
            : { maxOutputBytes: options.maxOutputBytes }),
        },
      );
      await stop.done;
      options.signal?.throwIfAborted();
      return { code, stdout, stderr, timedOut: stop.done !== undefined };
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", abort);
    }
  }

  return {
    uid,
    gid,
    home,
    variables,
    files,
    run: runAsStudent,
    async readFile(path, { maxBytes = DEFAULT_MAX_FILE_BYTES } = {}) {
      const { bytes, size } = await files.read(path, { offset: 0, maxBytes: maxBytes + 1 });
      if (bytes.length <= maxBytes && size <= maxBytes) return bytes;
      const found = `${Math.max(size, bytes.length)} bytes, more than ${maxBytes}`;
      throw new StudentFileError("too_large", `${JSON.stringify(path)}: ${found}`);
    },
    writeFile: (path, content) =>
      files.write(path, typeof content === "string" ? new TextEncoder().encode(content) : content, {
        create: true,
      }),
    get killings() {
      return killings;
    },
    async killAll({ deadlineMs } = {}) {
      killings += 1;
      await killAllProcesses(uid, { started, deadlineMs });
    },
    processes: () => reportProcesses({ uid, files, started }),
    startSession(argv, env) {
      const child = spawn(studentArgv(argv, { uid, gid, folder: home, variables: env }), {
        cwd: "/",
        clearEnv: true,
        stdin: "piped",
      });
      noteStart(child);
      return child;
    },
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}

/**
 * Ends a program's whole session once; both the time-out and the caller's signal may ask for it.
 */
class Stop {
  leader: number | undefined;
  done: Promise<void> | undefined;
  readonly #kill: (leader: number) => Promise<void>;

  constructor(kill: (leader: number) => Promise<void>) {
    this.#kill = kill;
  }

  now(): void {
    if (this.leader !== undefined) this.done ??= this.#kill(this.leader);
  }
}
