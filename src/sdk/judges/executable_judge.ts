import { KarotteError, messageOf } from "../../base/errors.ts";
import { run, type RunResult } from "../../base/process.ts";
import { type TempDir, tempDir } from "../../base/temp_dir.ts";
import { isGuardOn } from "../../protocol/guards.ts";
import type { Scoring } from "../../schemas/scoring.ts";
import type { RunContext } from "../run_context.ts";
import type { Transcript } from "../transcript.ts";
import { Judge, scoring } from "./judge.ts";
import { OutputTail } from "./output_tail.ts";
import { readVerdict } from "./verdict.ts";

/** A folder that only root can write, as Karotte's own processes have on engines. */
const DEFAULT_CWD = "/";

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
 * `stderr`; what it leaves running is killed. A program that is missing, fails, or writes no such
 * file scores 0 and ends the run, with the reason as metadata.
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
    return await this.#judge(folder.path, context);
  }

  /** The folder that the program runs in. */
  get cwd(): string {
    return this.#options.cwd ?? DEFAULT_CWD;
  }

  async #judge(folder: string, context: RunContext): Promise<Scoring> {
    const verdictPath = `${folder}/verdict.json`;
    const argv = this.#argv(verdictPath, context);
    const output = { stdout: new OutputTail(), stderr: new OutputTail() };
    let result: RunResult;
    try {
      result = await run(argv, {
        cwd: this.cwd,
        env: await this.#variables(folder, context),
        ...(isGuardOn("allow_list") ? { umask: 0o077 } : {}),
        signal: context.signal,
        maxOutputBytes: 0,
        onOutput: (stream, chunk) => output[stream].push(chunk),
        killLeftovers: true,
      });
    } catch (error) {
      if (!isMissing(error)) throw error;
      return scoring(0, { FileNotFoundError: messageOf(error), ...this.#hint(context) });
    }
    context.signal.throwIfAborted();
    const printed = { stdout: output.stdout.end(), stderr: output.stderr.end() };
    if (result.code !== 0) {
      return scoring(0, {
        CalledProcessError: ending(argv, result),
        ...printed,
        ...this.#hint(context),
      });
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

  /** Variables besides those of this process, which in a sandbox are listed ones only. */
  async #variables(folder: string, context: RunContext): Promise<Record<string, string>> {
    const { env, inherit = [] } = this.#options;
    const inherited = inherit.flatMap((name) => {
      const value = context.variables[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    return { ...Object.fromEntries(inherited), ...await temporaryFolder(folder), ...env };
  }

  /** Says of a program that failed which variables of the image it may have missed. */
  #hint({ variables }: RunContext): Record<string, string> {
    const { env = {}, inherit = [] } = this.#options;
    const has = (name: string) =>
      inherit.includes(name) || Object.hasOwn(env, name) || Deno.env.has(name);
    const missed = Object.keys(variables).filter((name) => !has(name)).sort();
    const parts = (path = "") => path.split(":").filter((part) => part !== "");
    const kept = new Set(parts(inherit.includes("PATH") ? variables.PATH : Deno.env.get("PATH")));
    const leftOut = parts(variables.PATH).filter((part) => !kept.has(part));
    const hints = [
      ...(missed.length === 0 ? [] : [`name in inherit what it needs of ${missed.join(", ")}`]),
      ...(leftOut.length === 0 ? [] : [`PATH is without ${leftOut.join(", ")}: not root's alone`]),
    ];
    return hints.length === 0 ? {} : { hint: hints.join("; ") };
  }

  #argv(verdictPath: string, context: RunContext): readonly string[] {
    const { script, args = [], argv } = this.#options;
    return script === undefined
      ? [...argv, verdictPath]
      : context.scriptCommand(script, [...args, verdictPath]);
  }
}

/** Makes the folder for the program's temporary files, which goes away with the verdict's. */
async function temporaryFolder(folder: string): Promise<Record<string, string>> {
  if (!isGuardOn("allow_list")) return {};
  const path = `${folder}/tmp`;
  await Deno.mkdir(path, { mode: 0o700 });
  return { TMPDIR: path };
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
