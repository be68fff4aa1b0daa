import { KarotteError, messageOf } from "../../base/errors.ts";
import { run, type RunResult } from "../../base/process.ts";
import { type TempDir, tempDir } from "../../base/temp_dir.ts";
import type { Scoring } from "../../schemas/scoring.ts";
import type { RunContext } from "../run_context.ts";
import type { Transcript } from "../transcript.ts";
import { Judge, scoring } from "./judge.ts";
import { OutputTail } from "./output_tail.ts";
import { readVerdict } from "./verdict.ts";

/** What to run, and how its verdict is read. */
export type ExecutableJudgeOptions = (ScriptToRun | ProgramToRun) & {
  /** The run goes on from this score on; -1 if absent. */
  continueThreshold?: number;
  /** Absent: the harness's own. */
  cwd?: string;
  /** Added to the harness's environment. */
  env?: Readonly<Record<string, string>>;
};

/** A script of the environment. */
export interface ScriptToRun {
  /** A file below `src/environment/`, run by this program: `scoring/check.ts`. */
  script: string;
  /** Come before the path of the verdict; absent: none. */
  args?: readonly string[];
  /** Belongs to `ProgramToRun`. */
  argv?: never;
}

/** Any program of the sandbox. */
export interface ProgramToRun {
  /** A program and its arguments; no shell. */
  argv: readonly string[];
  /** Belongs to `ScriptToRun`. */
  script?: never;
  /** Belongs to `ScriptToRun`. */
  args?: never;
}

/**
 * Lets a program decide. It runs as root, with a path as its last argument, where it writes
 * `{"score": 0.5, "metadata": {"reason": "half of it"}}`; the path lies in a folder that only root
 * can enter. Its stdin is empty; the end of what it printed is kept as metadata `stdout` and
 * `stderr`; what it leaves running is killed. A program that is missing, fails, or writes no such
 * file scores 0 and ends the run, with the reason as metadata.
 */
export class ExecutableJudge extends Judge {
  readonly #options: ExecutableJudgeOptions;

  /** Throws a `TypeError` unless there is exactly one of `script` and `argv`. */
  constructor(options: ExecutableJudgeOptions) {
    super();
    const { script, argv } = options as { script?: string; argv?: readonly string[] };
    if ((script === undefined) === (argv === undefined)) {
      throw new TypeError("ExecutableJudge needs either script or argv");
    }
    if (argv?.length === 0) throw new TypeError("ExecutableJudge needs a program in argv");
    this.#options = options;
  }

  /** Throws if the score is not a finite number or the metadata not an object. */
  override async evaluate(_transcript: Transcript, context: RunContext): Promise<Scoring> {
    let directory: TempDir;
    try {
      directory = await tempDir("karotte-verdict-");
    } catch (error) {
      return scoring(0, { tempdir_error: messageOf(error) });
    }
    await using folder = directory;
    return await this.#judge(`${folder.path}/verdict.json`, context);
  }

  async #judge(verdictPath: string, context: RunContext): Promise<Scoring> {
    const argv = this.#argv(verdictPath, context);
    const output = { stdout: new OutputTail(), stderr: new OutputTail() };
    let result: RunResult;
    try {
      result = await run(argv, {
        ...(this.#options.cwd === undefined ? {} : { cwd: this.#options.cwd }),
        ...(this.#options.env === undefined ? {} : { env: this.#options.env }),
        signal: context.signal,
        maxOutputBytes: 0,
        onOutput: (stream, chunk) => output[stream].push(chunk),
        killLeftovers: true,
      });
    } catch (error) {
      if (!isMissing(error)) throw error;
      return scoring(0, { FileNotFoundError: messageOf(error) });
    }
    context.signal.throwIfAborted();
    const printed = { stdout: output.stdout.end(), stderr: output.stderr.end() };
    if (result.code !== 0) {
      return scoring(0, { CalledProcessError: ending(argv, result), ...printed });
    }
    const verdict = await readVerdict(verdictPath);
    if ("problem" in verdict) return scoring(0, { json_read_error: verdict.problem, ...printed });
    const { score, metadata } = verdict;
    return scoring(
      score,
      { ...metadata, ...printed },
      score >= (this.#options.continueThreshold ?? -1),
    );
  }

  #argv(verdictPath: string, context: RunContext): readonly string[] {
    const { script, args = [], argv } = this.#options;
    return script === undefined
      ? [...argv, verdictPath]
      : context.scriptCommand(script, [...args, verdictPath]);
  }
}

/** No such program, or no such `cwd`: the student may have removed it. */
function isMissing(error: unknown): boolean {
  return error instanceof KarotteError &&
    (error.cause instanceof Deno.errors.NotFound || error.code === "usage");
}

function ending(argv: readonly string[], { code, signal }: RunResult): string {
  return signal === null
    ? `"${argv[0]}" exited with status ${code}`
    : `"${argv[0]}" was ended by ${signal}`;
}
