import { KarotteError, messageOf } from "../../base/errors.ts";
import { run, type RunResult } from "../../base/process.ts";
import type { TempDir } from "../../base/temp_dir.ts";
import { isGuardOn } from "../../protocol/guards.ts";
import { STUDENT } from "../../protocol/layout.ts";
import type { Scoring } from "../../schemas/scoring.ts";
import type { RunContext } from "../run_context.ts";
import type { Transcript } from "../transcript.ts";
import { Judge, scoring } from "./judge.ts";
import { OutputTail } from "./output_tail.ts";
import { programVariables, temporaryFolder, variablesHint } from "./program_variables.ts";
import { studentsPartInFailure } from "./start_failure.ts";
import { readVerdict } from "./verdict.ts";
import { checkWritable, verdictFolder } from "./verdict_folder.ts";

/** A folder that only root can write. */
const DEFAULT_CWD = "/";
/** What a judge's program makes is for root only. */
const UMASK = 0o077;

/** One evaluation: the run, and the variables that the program has besides this process's. */
interface Judging {
  readonly context: RunContext;
  readonly env: Readonly<Record<string, string>>;
}

/** What to run, and how its verdict is read. */
export type ExecutableJudgeOptions = (ScriptToRun | ProgramToRun) & {
  /** The run goes on from this score on; -1 if absent. */
  continueThreshold?: number;
  /**
   * Absent: `/`. In a folder that the student can write, many programs run what lies there:
   * `karotte check` and the run warn of it. Name files by their whole paths instead.
   */
  cwd?: string;
  /** Added to the variables that root's programs have. */
  env?: Readonly<Record<string, string>>;
  /** Names of variables that the program gets as the image sets them: `["JAVA_HOME"]`. */
  inherit?: readonly string[];
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
 *
 * Of the image's variables the program has PATH only, without folders that the student could write,
 * and those that `inherit` names; besides, `HOME`, `LANG`, `TMPDIR` (a folder of its own),
 * Karotte's own, and those that `harness_secret_env` keeps from the student. The files that it
 * makes are for root only.
 *
 * It must not run the student's code itself: a test that imports a module of the student's has the
 * student's code in a root process, which can end it with status 0 or write the verdict. Start the
 * student's program by `$KAROTTE_AS_STUDENT -- PROGRAM ARGUMENTS...`, which gives it the student's
 * rights, variables and 60 seconds (`--timeout SECONDS`, `--memory BYTES`), and compare what it
 * prints. No other way makes hidden tests safe.
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
    await using temporary = await temporaryFolder(folder);
    const variables = programVariables(this.options, context);
    return await this.#judge(folder, {
      context,
      env: { ...(temporary === undefined ? {} : { TMPDIR: temporary.path }), ...variables },
    });
  }

  async #judge(folder: TempDir, { context, env }: Judging): Promise<Scoring> {
    const verdictPath = `${folder.path}/verdict.json`;
    const argv = this.#argv(verdictPath, context);
    const output = { stdout: new OutputTail(), stderr: new OutputTail() };
    let result: RunResult;
    try {
      result = await run(argv, {
        cwd: this.options.cwd ?? DEFAULT_CWD,
        env,
        ...(isGuardOn("allow_list") ? { umask: UMASK } : {}),
        signal: context.signal,
        maxOutputBytes: 0,
        onOutput: (stream, chunk) => output[stream].push(chunk),
        killLeftovers: true,
      });
    } catch (error) {
      return await this.#unstarted(error, argv, { context, env });
    }
    context.signal.throwIfAborted();
    const printed = { stdout: output.stdout.end(), stderr: output.stderr.end() };
    if (result.code !== 0) {
      await checkWritable(folder);
      const hint = variablesHint(this.options, context);
      const hints: Record<string, string> = hint === undefined ? {} : { hint };
      return scoring(0, { CalledProcessError: ending(argv, result), ...printed, ...hints });
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
  async #unstarted(
    error: unknown,
    argv: readonly string[],
    { context, env }: Judging,
  ): Promise<Scoring> {
    if (!(error instanceof KarotteError)) throw error;
    const { cwd } = this.options;
    const ids = { uid: context.student.uid, gid: STUDENT.gid };
    const part = await studentsPartInFailure({ argv, cwd, env }, ids);
    if (part === undefined) throw withHint(error, variablesHint(this.options, context));
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

/** Adds what the program may have missed to the message, which is what the transcript holds. */
function withHint(error: KarotteError, hint: string | undefined): KarotteError {
  if (hint === undefined) return error;
  return new KarotteError(error.code, `${error.message} (${hint})`, { cause: error });
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
