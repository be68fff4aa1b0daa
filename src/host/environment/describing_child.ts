import { KarotteError } from "../../base/errors.ts";
import { hideProcess } from "../../base/protect_process.ts";
import { run } from "../../base/process.ts";
import type { EnvironmentBundle } from "../../loader/environment_bundle.ts";
import { DESCRIBE_WITH_CONFIG } from "../../schemas/described_config.ts";
import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import {
  type DescribeAnswer,
  describeAnswerSchema,
  type EnvironmentDescription,
} from "../../schemas/task_description.ts";
import type { HarnessProgram } from "./harness_program.ts";

/** Bytes of memory that V8 reserves for the code of one thread, measured in Deno 2.6 and 2.9. */
const CODE_BYTES = 512 * 1024 ** 2;
/**
 * Bytes of memory that the child may have for writing. In the compiled program, the environment's
 * code is in a thread of its own, beside the one that starts it.
 */
const MAX_MEMORY_BYTES = 2 * 1024 ** 3 + (Deno.build.standalone ? CODE_BYTES : 0);
/** Prefix of an argv: the child ends with this process, for by itself it may never end. */
const CONFINED = Deno.build.os === "linux"
  ? [
    ...["setpriv", "--pdeathsig", "KILL", "--"],
    "prlimit",
    `--data=${MAX_MEMORY_BYTES}`,
    "--core=0",
  ]
  : [];
/** There is no such folder and nobody can make one: what Deno would keep there is not kept. */
const NOWHERE = "/dev/null/deno";
const VARIABLES = {
  DENO_DIR: NOWHERE,
  TMPDIR: NOWHERE,
  DENO_NO_PROMPT: "1",
  DENO_NO_UPDATE_CHECK: "1",
  NO_COLOR: "1",
};
/** Milliseconds after which an environment that is still loading is refused. */
const TIME_LIMIT_MS = 60_000;
/** The most that is kept of each of the child's streams. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** What a child describes. */
export interface ChildOptions {
  readonly bundle: EnvironmentBundle;
  readonly program: HarnessProgram;
  /** Only the task of this config is described, as it is with it; absent: all, without any. */
  readonly config?: EvaluationRunConfig;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Describes a bundle in a child process without rights. Throws a usage error that shows why its
 * code can't be loaded.
 */
export async function describeInChild(
  { bundle, program, config, signal }: ChildOptions,
): Promise<EnvironmentDescription> {
  const directory = await Deno.realPath(bundle.directory);
  if (Deno.build.os === "linux") hideProcess();
  const flags = config === undefined ? [] : [DESCRIBE_WITH_CONFIG];
  const result = await run([...CONFINED, ...program.describing(directory), ...flags], {
    ...(config === undefined ? {} : { stdin: JSON.stringify(config) }),
    clearEnv: true,
    env: VARIABLES,
    cwd: directory,
    timeoutMs: TIME_LIMIT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    ...(signal ? { signal } : {}),
  });
  signal?.throwIfAborted();
  if (result.timedOut) {
    throw new KarotteError("usage", `Cannot load the environment: not done after 60 s`, {
      hint: "code at the top level of a task or tool file must come to an end",
    });
  }
  const { description, failure } = answerIn(new TextDecoder().decode(result.stdout));
  if (result.code === 0 && description !== undefined) return description;
  throw loadError(
    failure ?? new TextDecoder().decode(result.stderr).trim(),
    result.code,
    directory,
  );
}

/**
 * Reads the last line of the output, before which the environment's own code may have printed;
 * nothing if the child did not come to its end.
 */
function answerIn(output: string): DescribeAnswer {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  try {
    return describeAnswerSchema.parse(JSON.parse(line));
  } catch {
    return {};
  }
}

function loadError(said: string, code: number, directory: string): KarotteError {
  if (code === 0) {
    const message = "Cannot load the environment: it describes itself wrongly";
    return new KarotteError("usage", message);
  }
  if (/out of memory/i.test(said)) {
    return new KarotteError("usage", "Cannot load the environment: it takes too much memory", {
      hint: "task and tool files may use 2 GiB while they are loaded",
    });
  }
  const cause = said === "" ? `exit status ${code}` : placed(said, directory);
  return new KarotteError("usage", `Cannot load the environment: ${cause}`);
}

/** Returns an uncaught error's first line, after its place in the author's own file. */
function placed(stack: string, bundleDirectory: string): string {
  const [first = stack] = stack.split("\n");
  const folder = `${bundleDirectory}/environment/`;
  const at = stack.indexOf(folder);
  const place = at < 0 ? null : /^[^\n)]*:\d+:\d+/.exec(stack.slice(at + folder.length));
  return place === null ? first : `src/environment/${place[0]}: ${first}`;
}
