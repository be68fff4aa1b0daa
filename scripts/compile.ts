/**
 * Compiles the program into `dist/karotte`, or `dist/karotte-TARGET` for another machine. It is
 * bundled first: what is embedded is read at each start.
 *
 * Usage: deno task compile [--target TARGET] [--output PATH] [--deno PATH]
 *
 * Deno downloads the executable that it extends; where it can't (exit status 3), DENORT_BIN names
 * one for the target. `--deno` names the Deno that compiles, for a DENORT_BIN of another version.
 */
import { join, resolve } from "@std/path";
import { KarotteError } from "../src/base/errors.ts";
import { printLine } from "../src/base/log.ts";
import { run } from "../src/base/process.ts";
import { tempDir } from "../src/base/temp_dir.ts";
import { reportError } from "../src/cli/error_report.ts";
import { bundle } from "./compile/bundle.ts";
import { isForTarget } from "./compile/machine.ts";
import { stage } from "./compile/stage.ts";

interface Options {
  readonly target?: string;
  readonly output?: string;
  readonly deno?: string;
}

const USAGE = "Usage: deno task compile [--target TARGET] [--output PATH] [--deno PATH]";
const DIST = join(import.meta.dirname ?? ".", "../dist");

function parse(args: readonly string[]): Options {
  const options: Record<string, string> = {};
  for (let index = 0; index < args.length; index += 2) {
    const name = /^--(target|output|deno)$/.exec(args[index] ?? "")?.[1];
    const value = args[index + 1];
    if (name === undefined || value === undefined || value.startsWith("-")) {
      throw new KarotteError("usage", USAGE);
    }
    options[name] = value;
  }
  return options;
}

/** Returns the path of the compiled program. */
async function compile(options: Options): Promise<string> {
  const { target, deno = Deno.execPath() } = options;
  const name = target === undefined ? "karotte" : `karotte-${target}`;
  const output = resolve(options.output ?? join(DIST, name));
  await using staging = await tempDir();
  await stage(await bundle(), staging.path);
  const argv = [
    ...[deno, "compile", "--allow-all", "--no-prompt", "--no-check"],
    // All is in the staging folder: nothing of the checkout's configuration or packages is needed.
    ...["--no-config", "--no-lock", "--no-remote", "--no-npm"],
    // The code cache is a file in /tmp that everybody can write, and root would trust it.
    "--no-code-cache",
    // Environments are described in a Worker that has fewer rights than the program.
    "--unstable-worker-options",
    // Our WebAssembly runs for less time than optimising it would take. A large message makes the
    // young generation grow to 16 MB a space, and it never shrinks.
    "--v8-flags=--liftoff-only,--max-semi-space-size=4",
    ...(target === undefined ? [] : ["--target", target]),
    ...["--include", "assets", "--include", "describe_worker.js", "--output", output, "main.js"],
  ];
  const { code, stderr } = await run(argv, { cwd: staging.path, env: compilerEnvironment() });
  if (code !== 0) throw failure(new TextDecoder().decode(stderr).trim());
  if (!await isForTarget(output, target ?? Deno.build.target)) {
    await Deno.remove(output);
    throw new KarotteError(
      "run",
      `Cannot compile for ${target}: DENORT_BIN is for another machine`,
    );
  }
  return output;
}

function compilerEnvironment(): Record<string, string> {
  const denort = Deno.env.get("DENORT_BIN");
  return { NO_COLOR: "1", ...(denort ? { DENORT_BIN: resolve(denort) } : {}) };
}

/** There is nothing to extend; a caller may know where to get it. */
class NoDenortError extends KarotteError {}

function failure(said: string): KarotteError {
  if (!/denort/i.test(said)) return new KarotteError("run", `Cannot compile: ${said}`);
  return new NoDenortError("runtime", `Cannot compile: ${said}`, {
    hint: "set DENORT_BIN to a denort of this Deno's version",
  });
}

try {
  printLine(await compile(parse(Deno.args)));
} catch (error) {
  if (!(error instanceof KarotteError)) throw error;
  reportError(error);
  if (error instanceof NoDenortError) Deno.exitCode = 3;
  else Deno.exitCode = error.code === "usage" ? 2 : 1;
}
