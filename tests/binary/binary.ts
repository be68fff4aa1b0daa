import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { run, type RunOptions } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { type Said, textOf } from "../cli/karotte.ts";

/** The compiled program under test; undefined: these tests are ignored. */
export const BINARY = Deno.env.get("KAROTTE_BINARY");

/**
 * A machine that has the compiled program and what every Linux has, and nothing of the caller's. A
 * call of Deno or node fails, and the end of the test with it.
 */
export interface BareMachine extends AsyncDisposable {
  /** A new folder, which is also the current one. */
  readonly path: string;
  /** Empty at first. */
  readonly home: string;
  /** Empty at first. */
  readonly temporary: string;
  /** Runs any program. */
  run(argv: readonly string[], options?: RunOptions): Promise<Said>;
  karotte(args: readonly string[], options?: RunOptions): Promise<Said>;
}

/** A test of the compiled program, visibly ignored where `KAROTTE_BINARY` names none. */
export function binaryTest(
  name: string,
  test: (binary: string) => Promise<void>,
  { ignore = false } = {},
): void {
  Deno.test({
    name: `compiled program: ${name}`,
    ignore: ignore || BINARY === undefined,
    fn: () => test(BINARY ?? ""),
  });
}

export async function bareMachine(binary: string): Promise<BareMachine> {
  const folder = await tempDir();
  const home = join(folder.path, "home");
  const temporary = join(folder.path, "tmp");
  const bin = join(folder.path, "bin");
  for (const path of [home, temporary, bin]) await Deno.mkdir(path);
  const log = join(folder.path, "called.log");
  await trap(bin, log);
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: temporary,
    NO_COLOR: "1",
    KAROTTE_RUNTIME: "bubblewrap",
  };
  const runHere = async (argv: readonly string[], options: RunOptions = {}) => {
    const { code, stdout, stderr } = await run(argv, {
      cwd: folder.path,
      clearEnv: true,
      ...options,
      env: { ...env, ...options.env },
    });
    return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
  };
  return {
    path: folder.path,
    home,
    temporary,
    run: runHere,
    karotte: (args, options) => runHere([binary, ...args], options),
    async [Symbol.asyncDispose]() {
      await using _folder = folder;
      assertEquals(await readIfThere(log), "", "Deno or node was called");
    },
  };
}

/** Programs that must not be needed; each leaves its name behind and fails. */
async function trap(bin: string, log: string): Promise<void> {
  for (const name of ["deno", "node", "npm", "npx"]) {
    const script = `#!/bin/sh\necho ${name} >>'${log}'\nexit 1\n`;
    await Deno.writeTextFile(join(bin, name), script, { mode: 0o755 });
  }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
