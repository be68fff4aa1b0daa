import { KarotteError, messageOf } from "../../base/errors.ts";
import { run, type RunResult } from "../../base/process.ts";
import type { TempDir } from "../../base/temp_dir.ts";
import { STUDENT } from "../../protocol/layout.ts";
import type { Scoring } from "../../schemas/scoring.ts";
import type { RunContext } from "../run_context.ts";
import type { Transcript } from "../transcript.ts";
import { Judge, scoring } from "./judge.ts";
import { OutputTail } from "./output_tail.ts";
import { studentsPartInFailure } from "./start_failure.ts";
import { readVerdict } from "./verdict.ts";
import { checkWritable, verdictFolder } from "./verdict_folder.ts";

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
 * `stderr`; what it leaves running is killed. A program that fails, or writes no such file, scores
 * 0 and ends the run, with the reason as metadata; so does one that can't be started where the
 * student may have seen to that. A script or program that is missing elsewhere is an error.
 */
export class ExecutableJudge extends Judge {
  /** What it was made with. */
  readonly options: ExecutableJudgeOptions;

  /** Throws a `TypeError` unless there is exactly one of `script` and `argv`. */
  constructor(options: ExecutableJudgeOptions) {
    super();
    const { script, argv } = options as { script?: string; argv?: readonly string[] };
    if ((script === undefined) === (argv === undefined)) {
      throw new TypeError("ExecutableJudge needs either script or argv");
    }
    if (argv?.length === 0) throw new TypeError("ExecutableJudge needs a program in argv");
    this.options = options;
  }

  /**
   * Throws if there is no such script or program, if there is no room for a verdict, and if the
   * score is not a finite number or the metadata not an object.
   */
  override async evaluate(_transcript: Transcript, context: RunContext): Promise<Scoring> {
    await using folder = await verdictFolder();
    return await this.#judge(folder, context);
  }

  async #judge(folder: TempDir, context: RunContext): Promise<Scoring> {
    const verdictPath = `${folder.path}/verdict.json`;
    const argv = this.#argv(verdictPath, context);
    const output = { stdout: new OutputTail(), stderr: new OutputTail() };
    let result: RunResult;
    try {
      result = await run(argv, {
        ...(this.options.cwd === undefined ? {} : { cwd: this.options.cwd }),
        ...(this.options.env === undefined ? {} : { env: this.options.env }),
        signal: context.signal,
        maxOutputBytes: 0,
        onOutput: (stream, chunk) => output[stream].push(chunk),
        killLeftovers: true,
      });
    } catch (error) {
      return await this.#unstarted(error, argv, context);
    }
    context.signal.throwIfAborted();
    const printed = { stdout: output.stdout.end(), stderr: output.stderr.end() };
    if (result.code !== 0) {
      await checkWritable(folder);
      return scoring(0, { CalledProcessError: ending(argv, result), ...printed });
    }
    const verdict = await readVerdict(verdictPath);
    if ("problem" in verdict) {
      await checkWritable(folder);
      return scoring(0, { json_read_error: verdict.problem, ...printed });
    }
    const { score, metadata } = verdict;
    return scoring(
      score,
      { ...metadata, ...printed },
      score >= (this.options.continueThreshold ?? -1),
    );
  }

  /** Scores 0 where the student may have kept a program from starting, else throws the error. */
  async #unstarted(error: unknown, argv: readonly string[], context: RunContext): Promise<Scoring> {
    if (!(error instanceof KarotteError)) throw error;
    const { cwd, env } = this.options;
    const ids = { uid: context.student.uid, gid: STUDENT.gid };
    const part = await studentsPartInFailure({ argv, cwd, env }, ids);
    if (part === undefined) throw error;
    const misbehavior = `the student may have changed ${JSON.stringify(part)}`;
    return scoring(0, { [errorName(error)]: messageOf(error), misbehavior });
  }

  #argv(verdictPath: string, context: RunContext): readonly string[] {
    const { script, args = [], argv } = this.options;
    return script === undefined
      ? [...argv, verdictPath]
      : context.scriptCommand(script, [...args, verdictPath]);
  }
}

/** The original's name of what keeps a program from starting. */
function errorName({ cause, code }: KarotteError): string {
  const isMissing = cause instanceof Deno.errors.NotFound || code === "usage";
  return isMissing ? "FileNotFoundError" : "OSError";
}

function ending(argv: readonly string[], { code, signal }: RunResult): string {
  return signal === null
    ? `"${argv[0]}" exited with status ${code}`
    : `"${argv[0]}" was ended by ${signal}`;
}
