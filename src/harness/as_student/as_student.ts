import { setTimeout as delay } from "node:timers/promises";
import { KarotteError, messageOf } from "../../base/errors.ts";
import { signalAsUser } from "../../base/act_as_user.ts";
import { closeOnExecFrom } from "../../base/libc.ts";
import { logLine } from "../../base/log.ts";
import { type Child, spawn } from "../../base/process.ts";
import { descendantsOf } from "../../base/process_table.ts";
import { within } from "../../base/promises.ts";
import { adoptOrphans, endWithParent, leaveSession } from "../../base/supervision.ts";
import { studentArgv } from "../student/student_argv.ts";
import { readAccount, type StudentAccount } from "./install.ts";
import { type AsStudentOptions, parseAsStudent } from "./options.ts";

const SIGKILL = 9;
const SWEEP_INTERVAL_MS = 5;
/** Sweeps of what the program left; a tree that outgrows them is ended with the student. */
const MAX_SWEEPS = 1000;
/** How long output is awaited after the last process was killed. */
const DRAIN_MS = 2000;
/** The status of timeout(1) for a program that took too long. */
const TIMED_OUT = 124;
/** The status of timeout(1) and env(1) for a fault of their own. */
const NOT_RUN = 125;
/** Folders that programs of the student's are naturally started in. */
const STUDENTS_PLACES = ["/tmp", "/var/tmp", "/dev/shm"];

/**
 * Is `karotte as-student FOLDER PARENT OPTIONS -- ARGV`, which root's programs start through
 * `$KAROTTE_AS_STUDENT`: runs a program with the student's rights and variables, its streams those
 * of this process, and returns its exit status, 128 + n after signal n, 124 when its time is over,
 * 125 if it can't be run so. When it ends, or this process's parent does, all that it started is
 * killed.
 */
export async function runAsStudent(args: readonly string[]): Promise<number> {
  try {
    return await runSupervised(args);
  } catch (error) {
    logLine(`karotte: ${messageOf(error)}`);
    if (error instanceof KarotteError && error.hint) logLine(`hint: ${error.hint}`);
    return NOT_RUN;
  }
}

async function runSupervised(args: readonly string[]): Promise<number> {
  const [folder, parent, ...rest] = args;
  if (folder === undefined || parent === undefined) throw new TypeError("as-student: no account");
  const options = parseAsStudent(rest);
  closeOnExecFrom(3);
  leaveSession();
  adoptOrphans();
  endWithParent();
  const account = readAccount(folder);
  const stopped = stopSignals();
  // It may have ended before this process asked to be told.
  if (Deno.ppid !== Number(parent)) return 128 + 15;
  return await supervise(start(options, account), { account, options, stopped });
}

function start({ argv, memoryBytes }: AsStudentOptions, account: StudentAccount): Child {
  const { uid, gid, variables } = account;
  const words = studentArgv(argv, {
    ...{ uid, gid, variables, folder: folderOf(account) },
    oneStream: isOneStream(),
    ...(memoryBytes === undefined ? {} : { memoryKib: Math.ceil(memoryBytes / 1024) }),
  });
  return spawn(words, { cwd: "/", clearEnv: true, stdin: "inherit" });
}

interface Supervision {
  readonly account: StudentAccount;
  readonly options: AsStudentOptions;
  /** Resolves with the exit status once this process is asked to end. */
  readonly stopped: Promise<number>;
}

async function supervise(child: Child, supervision: Supervision): Promise<number> {
  const { account, options, stopped } = supervision;
  const output = Promise.all([
    passOn(child.stdout, Deno.stdout.writable),
    passOn(child.stderr, Deno.stderr.writable),
  ]);
  const ended = child.status.then(({ code }) => code);
  const first = Promise.race([ended, stopped]);
  const status = await within(first, options.timeoutSeconds * 1000, "late" as const);
  await killDescendants(account.uid);
  await within(output, DRAIN_MS, undefined);
  if (status !== "late") return status;
  logLine(`karotte: the student's program was ended after ${options.timeoutSeconds} s`);
  return TIMED_OUT;
}

/** Resolves when this process is asked to end, as it is when its parent ends. */
function stopSignals(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
  for (const [name, number] of Object.entries(numbers)) {
    Deno.addSignalListener(name as keyof typeof numbers, () => resolve(128 + number));
  }
  return promise;
}

/** A reader that has gone is the program's own matter: it gets a broken pipe too. */
async function passOn(
  from: ReadableStream<Uint8Array<ArrayBuffer>>,
  to: WritableStream<Uint8Array<ArrayBufferLike>>,
): Promise<void> {
  try {
    await from.pipeTo(to, { preventClose: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** All that the program started, in whatever session: none can leave this process's tree. */
async function killDescendants(uid: number): Promise<void> {
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    const left = descendantsOf(Deno.pid).filter(({ state }) => !"ZX".includes(state));
    if (left.length === 0) return;
    signalAsUser(uid, left.map(({ pid }) => pid), SIGKILL);
    await delay(SWEEP_INTERVAL_MS);
  }
  throw new KarotteError("run", "Cannot end what the student's program started");
}

/** The caller's folder where that is a place of the student's, else its home. */
function folderOf({ home }: StudentAccount): string {
  const here = Deno.cwd();
  const isStudents = [home, ...STUDENTS_PLACES].some((place) => `${here}/`.startsWith(`${place}/`));
  return isStudents ? here : home;
}

/** Whether stdout and stderr are one, whose order would be lost in two pipes. */
function isOneStream(): boolean {
  return Deno.readLinkSync("/proc/self/fd/1") === Deno.readLinkSync("/proc/self/fd/2");
}
