import type { Child } from "../../base/process.ts";
import { within } from "../../base/promises.ts";
import { childrenOf, type ProcessEntry } from "../../base/process_table.ts";
import { killTree, processTree } from "../student/process_tree.ts";
import type { HarnessStudent } from "../student/student.ts";
import { type Collected, MarkedOutput } from "./marked_output.ts";

/** What became of a command. */
export interface CommandOutcome {
  readonly stdout: Collected;
  readonly stderr: Collected;
  /** Absent when nobody knows it. */
  readonly exitCode?: number;
  readonly timedOut: boolean;
  /** `alive`, or why this session can serve no further command. */
  readonly session: "alive" | "exited" | "stuck" | "unreadable" | "undelivered";
}

/** How long a command that is over its time has between TERM and KILL. */
const TERM_GRACE_MS = 1000;
/** How long the shell is given to come back once nothing that it waits for lives any more. */
const RECOVERY_MS = 400;
/** How long a command's children are killed again and again while the shell starts new ones. */
const KILL_PHASE_MS = 2000;
const SWEEP_INTERVAL_MS = 20;
/** How long output is awaited after the shell ended while something else holds its pipes. */
const DRAIN_MS = 100;
/** How long the second stream's marker may take after the first one's. */
const SECOND_MARKER_MS = 5000;

/**
 * Commands come on 230, markers leave on 231 and 232: high numbers, which no script uses, and
 * closed for the commands, which so can neither eat the next command nor lose a marker by
 * `exec >file`. A command comes as NONCE, NUL, command, NUL. The braces keep `set -x` from tracing
 * what is ours. All on one line, so that bash numbers the lines of a command from 1.
 */
const LOOP = [
  "exec 230<&0 231>&1 232>&2 </dev/null;",
  'while { IFS= read -r -d "" __karotte_nonce <&230 &&',
  'IFS= read -r -d "" __karotte_command <&230; } 2>/dev/null; do',
  'builtin eval "$__karotte_command" 230<&- 231>&- 232>&-;',
  "{ __karotte_status=$?;",
  'builtin printf "%s=%d;" "$__karotte_nonce" "$__karotte_status" >&231;',
  'builtin printf "%s=%d;" "$__karotte_nonce" "$__karotte_status" >&232; } 2>/dev/null;',
  "done",
].join(" ");

/** One shell of the student that keeps its folder, variables and jobs from command to command. */
export class BashSession {
  readonly #student: HarnessStudent;
  readonly #child: Child;
  readonly #commands: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #stdout: MarkedOutput;
  readonly #stderr: MarkedOutput;
  #hasExited = false;

  /** `headBytes`: how much of each stream is kept per command. `env`: all variables. */
  constructor(
    student: HarnessStudent,
    options: { env: Readonly<Record<string, string>>; headBytes: number },
  ) {
    const argv = ["/bin/bash", "--noprofile", "--norc", "-c", LOOP, "bash"];
    this.#student = student;
    this.#child = student.startSession(argv, options.env);
    // startSession pipes stdin.
    this.#commands = this.#child.stdin!.getWriter();
    this.#commands.closed.catch(() => {/* Each write reports it. */});
    this.#stdout = new MarkedOutput(this.#child.stdout, options);
    this.#stderr = new MarkedOutput(this.#child.stderr, options);
    this.#child.status.then(() => this.#hasExited = true);
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /**
   * Runs one command, which must hold no NUL; never two at a time. When the time is over, or the
   * signal fires, its processes are killed and those of earlier commands are not. Throws only the
   * signal's reason, and then the session is gone.
   */
  async run(
    command: string,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<CommandOutcome> {
    const { signal, timeoutMs } = options;
    signal.throwIfAborted();
    const spare = this.#earlierJobs();
    const nonce = crypto.randomUUID().replaceAll("-", "");
    const finished = this.#marker(nonce);
    const undelivered = this.#send(`${nonce}\0${command}\0`);
    const timer = Promise.withResolvers<"timeout">();
    const timeout = setTimeout(() => timer.resolve("timeout"), timeoutMs);
    const abort = () => timer.resolve("timeout");
    signal.addEventListener("abort", abort);
    try {
      const over = this.#over(undelivered);
      const end = await Promise.race([finished, over, timer.promise]);
      if (signal.aborted) return await this.#abandon(spare, signal);
      if (end !== "timeout") return await this.#outcome(end, { timedOut: false, spare });
      const stopped = await this.#stopCommand(Promise.race([finished, over]), spare);
      return await this.#outcome(stopped, { timedOut: true, spare });
    } finally {
      clearTimeout(timeout);
      signal.removeEventListener("abort", abort);
    }
  }

  /** Kills the shell and everything in its session, background jobs included. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(() => false);
  }

  /** Resolves with the exit status once both streams have their marker, or lost one of them. */
  async #marker(nonce: string): Promise<number | "unreadable"> {
    const markers = [this.#stdout.marker(nonce), this.#stderr.marker(nonce)] as const;
    await Promise.race(markers);
    const both = Promise.all(markers).then(([status]) => status);
    return await within(both, SECOND_MARKER_MS, "unreadable" as const);
  }

  /** Resolves only if the command can't be delivered. */
  #send(text: string): Promise<"undelivered"> {
    const { promise, resolve } = Promise.withResolvers<"undelivered">();
    this.#commands.write(new TextEncoder().encode(text)).catch(() => resolve("undelivered"));
    return promise;
  }

  /** Resolves when no marker can come any more, with the reason. */
  async #over(undelivered: Promise<"undelivered">) {
    const exited = this.#child.status.then(() => "exited" as const);
    const unreadable = Promise.race([this.#stdout.ended, this.#stderr.ended])
      .then(() => "unreadable" as const);
    const first = await Promise.race([exited, undelivered, unreadable]);
    // A shell that ends closes its pipes a moment earlier.
    return first === "exited" ? first : await within(exited, DRAIN_MS, first);
  }

  async #outcome(
    end: number | Exclude<CommandOutcome["session"], "alive">,
    { timedOut, spare }: { timedOut: boolean; spare: Spare },
  ): Promise<CommandOutcome> {
    if (typeof end === "number") {
      return { ...this.#take(), exitCode: end, timedOut, session: "alive" };
    }
    if (end === "exited") {
      const closed = Promise.all([this.#stdout.ended, this.#stderr.ended]);
      await within(closed, DRAIN_MS, undefined);
      const { code } = await this.#child.status;
      const output = this.#take();
      await this.close();
      return { ...output, exitCode: code, timedOut, session: end };
    }
    const output = this.#take();
    await this.#end(spare);
    return { ...output, timedOut, session: end };
  }

  async #abandon(spare: Spare, signal: AbortSignal): Promise<never> {
    await this.#end(spare);
    throw signal.reason;
  }

  #take(): { stdout: Collected; stderr: Collected } {
    return { stdout: this.#stdout.take(), stderr: this.#stderr.take() };
  }

  async #end(spare: Spare): Promise<void> {
    await killTree(this.#student.files, this.#child.pid, { spare });
    await this.#child.status;
    await this.close();
  }

  /** Lets go of the pipes; background jobs that still write to them get a broken pipe. */
  async close(): Promise<void> {
    await Promise.all([this.#stdout.cancel(), this.#stderr.cancel()]);
    // The pipe is broken now, which is what abort reports.
    await this.#commands.abort().catch(() => {});
  }

  /** Ends the running command but not the shell; `stuck` if the shell does not come back. */
  async #stopCommand<T>(over: Promise<T>, spare: Spare): Promise<T | "stuck"> {
    const start = performance.now();
    let alone = start;
    for (;;) {
      const now = performance.now();
      const tree = processTree(this.#child.pid, { spare });
      const victims = tree.map(({ pid }) => pid).filter((pid) => pid !== this.#child.pid);
      if (victims.length > 0) alone = now;
      const killPhase = now - start > TERM_GRACE_MS;
      if (now - alone > RECOVERY_MS || now - start > TERM_GRACE_MS + KILL_PHASE_MS) return "stuck";
      await this.#student.files.kill(victims, killPhase ? 9 : 15);
      const end = await within(over, SWEEP_INTERVAL_MS, "waiting" as const);
      if (end !== "waiting") return end;
    }
  }

  /** Tells what earlier commands left in the background from what the coming command starts. */
  #earlierJobs(): Spare {
    const children = new Set(childrenOf(this.#child.pid));
    const startTicks = uptimeTicks();
    const leader = this.#child.pid;
    return ({ pid, startTicks: started }) =>
      pid !== leader && (children.has(pid) || started < startTicks);
  }
}

type Spare = (entry: ProcessEntry) => boolean;

/** Clock ticks since boot; the kernel shows 100 a second everywhere. */
function uptimeTicks(): number {
  return Math.floor(Number(Deno.readTextFileSync("/proc/uptime").split(" ")[0]) * 100);
}
