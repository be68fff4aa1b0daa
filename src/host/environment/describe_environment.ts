import { KarotteError } from "../../base/errors.ts";
import { run } from "../../base/process.ts";
import { bundleEnvironment, type EnvironmentBundle } from "../../loader/environment_bundle.ts";
import { cacheDirectory } from "../../cache/cache_directory.ts";
import {
  type EnvironmentDescription,
  environmentDescriptionSchema,
} from "../../schemas/task_description.ts";
import { readCached, writeCached } from "./description_cache.ts";
import { type HarnessProgram, harnessProgram } from "./harness_program.ts";

/** An environment with its bundle and what is in it. */
export interface DescribedEnvironment extends EnvironmentDescription {
  /** Absolute path of the environment. */
  readonly directory: string;
  readonly bundle: EnvironmentBundle;
  readonly program: HarnessProgram;
  readonly cacheDirectory: string;
}

export interface DescribeOptions {
  /** Absolute path of the environment. */
  readonly directory: string;
  readonly signal?: AbortSignal;
  /** Whether no package is installed: those that are there are used. */
  readonly offline?: boolean;
  /** Packages that may be younger than the age delay. */
  readonly ageDelayExemptions?: readonly string[];
}

/** Prefix of an argv that ends the child with this process: by itself it may never end. */
const TIED = Deno.build.os === "linux" ? ["setpriv", "--pdeathsig", "KILL", "--"] : [];
/** Milliseconds after which an environment that is still loading is refused. */
const TIME_LIMIT_MS = 60_000;
/** The most that is kept of each of the child's streams. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Bundles an environment and describes its tasks. Its code runs only in a child process without
 * rights; the description is cached by the bundle's digest. Throws a usage error that shows the
 * cause.
 */
export async function describeEnvironment(
  { directory, signal, offline = false, ageDelayExemptions = [] }: DescribeOptions,
): Promise<DescribedEnvironment> {
  const cache = cacheDirectory();
  const program = await harnessProgram(cache);
  const bundle = await bundleEnvironment({
    directory,
    cacheDirectory: cache,
    offline,
    ageDelayExemptions,
    ...(signal ? { signal } : {}),
  });
  let description = await readCached(cache, bundle.digest);
  if (!description) {
    description = await describeInChild(bundle, program, signal);
    await writeCached(cache, bundle.digest, description);
  }
  return { ...description, directory, bundle, program, cacheDirectory: cache };
}

async function describeInChild(
  bundle: EnvironmentBundle,
  program: HarnessProgram,
  signal: AbortSignal | undefined,
): Promise<EnvironmentDescription> {
  const result = await run([...TIED, ...program.here, "describe", bundle.directory], {
    clearEnv: true,
    env: { DENO_NO_PROMPT: "1", DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
    cwd: "/",
    timeoutMs: TIME_LIMIT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    ...(signal ? { signal } : {}),
  });
  signal?.throwIfAborted();
  const said = new TextDecoder().decode(result.stderr).trim();
  if (result.timedOut) {
    throw new KarotteError("usage", `Cannot load the environment: not done after 60 s`, {
      hint: "code at the top level of a task or tool file must come to an end",
    });
  }
  if (result.code !== 0) {
    const cause = said === "" ? `exit status ${result.code}` : placed(said, bundle.directory);
    throw new KarotteError("usage", `Cannot load the environment: ${cause}`);
  }
  return parseDescription(new TextDecoder().decode(result.stdout));
}

/** Returns an uncaught error's first line, after its place in the author's own file. */
function placed(stack: string, bundleDirectory: string): string {
  const [first = stack] = stack.split("\n");
  const folder = `${bundleDirectory}/environment/`;
  const at = stack.indexOf(folder);
  const place = at < 0 ? null : /^[^\n)]*:\d+:\d+/.exec(stack.slice(at + folder.length));
  return place === null ? first : `src/environment/${place[0]}: ${first}`;
}

/** Reads the last line of the output: the environment's own code may have printed before it. */
function parseDescription(output: string): EnvironmentDescription {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  try {
    return environmentDescriptionSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new KarotteError("usage", "Cannot load the environment: it describes itself wrongly", {
      cause,
    });
  }
}
