import { z } from "zod";
import { StudentFileError } from "../../sdk/student.ts";
import { defineTool, type Tool, type ToolOutput } from "../../sdk/tool.ts";
import type { HarnessStudent } from "../student/student.ts";
import { BashSession, type CommandOutcome } from "./bash_session.ts";
import { headBytesFor, limitedText } from "./text_limit.ts";

const CONFIG = z.strictObject({
  /** Seconds; a call can ask for less, not for more. */
  default_timeout_s: z.number().positive().default(3600),
  /** Characters, each of stdout and stderr. */
  max_output_length: z.int().positive().default(16_000),
  /** Active in the shell if it exists; null turns that off. */
  python_venv: z.string().nullable().default("/workdir/.venv"),
});
type Config = z.output<typeof CONFIG>;

const INPUT = z.object({
  command: z.string().nullish().describe("The command to run; needed unless restart is true."),
  restart: z.boolean().default(false)
    .describe("Start a new shell instead of running a command; ends everything in the old one."),
  timeout_s: z.number().positive().nullish()
    .describe("Seconds until the command is stopped; the task's own limit is the most."),
});

/** The longest delay that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The `bash` tool: one shell of the student, kept from call to call. */
export function createBashTool(student: HarnessStudent): { tool: Tool } & AsyncDisposable {
  const shell = new Shell(student);
  const tool = defineTool({
    description:
      "Runs a command in a persistent bash shell. Variables, the working directory, functions and " +
      "background jobs stay from call to call. stdin is empty. Long output is cut: its start is " +
      "kept. A command that runs too long is stopped; the shell survives where it can.",
    input: INPUT,
    config: CONFIG,
    async run({ command, restart, timeout_s }, { config, signal }) {
      if (restart) return await shell.restart();
      if (!command) throw new Error("Nothing to run: give a command, or set restart");
      if (command.includes("\0")) throw new Error("Cannot run the command: it has a NUL character");
      return await shell.run(command, {
        config,
        signal,
        timeoutS: Math.min(timeout_s ?? Infinity, config.default_timeout_s),
      });
    },
  });
  return { tool, [Symbol.asyncDispose]: () => shell[Symbol.asyncDispose]() };
}

interface RunOptions {
  config: Config;
  signal: AbortSignal;
  timeoutS: number;
}

/** The current session and the rule of one command at a time. */
class Shell {
  readonly #student: HarnessStudent;
  #session: BashSession | undefined;
  #lastCall: Promise<unknown> = Promise.resolve();
  #hasEnded = false;
  /** The killings of all the student's processes before this session was started. */
  #killings = 0;

  constructor(student: HarnessStudent) {
    this.#student = student;
  }

  run(command: string, options: RunOptions): Promise<ToolOutput> {
    return this.#inTurn(async () => {
      if (this.#session?.hasExited) await this.#drop();
      const restarted = this.#hasEnded ? [this.#endText()] : [];
      this.#session ??= await this.#start(options.config);
      try {
        const timeoutMs = Math.min(options.timeoutS * 1000, MAX_TIMER_MS);
        const outcome = await this.#session.run(command, { timeoutMs, signal: options.signal });
        if (outcome.session !== "alive") this.#session = undefined;
        this.#hasEnded = outcome.session === "exited";
        return commandResult(outcome, restarted, options);
      } catch (error) {
        await this.#drop();
        throw error;
      }
    });
  }

  #endText(): string {
    return this.#student.killings > this.#killings ? ENDED_BETWEEN_STEPS : AUTOMATIC_RESTART;
  }

  async restart(): Promise<ToolOutput> {
    // At once, or it would wait for the command that it is meant to end.
    await this.#session?.[Symbol.asyncDispose]();
    return await this.#inTurn(async () => {
      await this.#drop();
      this.#hasEnded = false;
      return { stdout: "", system: "The shell was restarted." };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session?.[Symbol.asyncDispose]();
    await this.#inTurn(() => this.#drop());
  }

  #inTurn<T>(call: () => Promise<T>): Promise<T> {
    const turn = this.#lastCall.then(call);
    this.#lastCall = turn.catch(() => {/* Its caller gets it. */});
    return turn;
  }

  async #drop(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    this.#session = undefined;
    this.#hasEnded = true;
    // What a shell that ended has left in the background goes on.
    if (session.hasExited) await session.close();
    else await session[Symbol.asyncDispose]();
  }

  async #start(config: Config): Promise<BashSession> {
    const { PYTHONSAFEPATH: _, ...env } = this.#student.variables;
    this.#killings = this.#student.killings;
    return new BashSession(this.#student, {
      env: { ...env, ...await this.#venvVariables(config.python_venv) },
      headBytes: headBytesFor(config.max_output_length),
    });
  }

  async #venvVariables(path: string | null): Promise<Record<string, string>> {
    if (path === null) return {};
    try {
      await this.#student.files.read(`${path}/pyvenv.cfg`, { offset: 0, maxBytes: 1 });
    } catch (error) {
      if (error instanceof StudentFileError) return {};
      throw error;
    }
    const { PATH } = this.#student.variables;
    return { VIRTUAL_ENV: path, PATH: PATH === undefined ? `${path}/bin` : `${path}/bin:${PATH}` };
  }
}

const AUTOMATIC_RESTART = "The shell had ended and was restarted automatically.";
const ENDED_BETWEEN_STEPS =
  "All your processes were ended when the last step was scored, the shell and its background jobs " +
  "among them. This is a new shell, without the old one's variables and working directory.";

function commandResult(outcome: CommandOutcome, notes: string[], options: RunOptions): ToolOutput {
  const maxLength = options.config.max_output_length;
  const stdout = limitedText(outcome.stdout, maxLength);
  const stderr = limitedText(outcome.stderr, maxLength);
  const cut = (name: string) => `${name} was cut to ${maxLength} characters.`;
  const isReplaced = outcome.session !== "alive" && outcome.session !== "exited";
  const system = [
    ...notes,
    ...(stdout.isCut ? [cut("stdout")] : []),
    ...(stderr.isCut ? [cut("stderr")] : []),
    ...(isReplaced ? ["The shell was restarted automatically."] : []),
  ].join(" ");
  const remarks = errorNotes(outcome, options.timeoutS).join("\n");
  const isLineOpen = remarks !== "" && stderr.text !== "" && !stderr.text.endsWith("\n");
  const errors = `${stderr.text}${isLineOpen ? "\n" : ""}${remarks}`;
  return {
    stdout: stdout.text,
    ...(errors === "" ? {} : { stderr: errors }),
    ...(system === "" ? {} : { system }),
    ...(outcome.exitCode === undefined ? {} : { exit_code: outcome.exitCode }),
  };
}

function errorNotes({ session, timedOut, exitCode }: CommandOutcome, timeoutS: number): string[] {
  const notes = timedOut ? [`The command was stopped after ${timeoutS} seconds.`] : [];
  if (session === "exited") notes.push(`The shell ended with exit code ${exitCode}.`);
  if (session === "unreadable") notes.push("The shell closed its output: it had to be ended.");
  if (session === "undelivered") notes.push("The shell takes no commands: this one never ran.");
  return notes;
}
