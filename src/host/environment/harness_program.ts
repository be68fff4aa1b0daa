import { denoCommand, selfCommand } from "../../base/self_command.ts";
import { bundleProgram } from "../../loader/program.ts";
import type { SandboxProgram } from "../../runtimes/runtime.ts";
import { PROGRAM_DIRECTORY } from "../../protocol/layout.ts";

/** The harness's program: for a sandbox, and for `describe` on this machine. */
export interface HarnessProgram {
  readonly inSandbox: SandboxProgram;
  /** The argv that starts it in a sandbox, without a command. */
  readonly command: readonly string[];
  /**
   * Returns the argv that describes the bundle in a folder, given as its real path; it is to be
   * started in this folder. From source that process may read the folder and do nothing else; the
   * compiled program has all rights and gives them up.
   */
  describing(bundleDirectory: string): readonly string[];
}

/** Returns the compiled binary as it is; from source it is Deno with a bundle from the cache. */
export async function harnessProgram(cacheDirectory: string): Promise<HarnessProgram> {
  if (Deno.build.standalone) {
    const files = [{ name: "karotte", source: Deno.execPath() }];
    return programOf(files, [`${PROGRAM_DIRECTORY}/karotte`], selfCommand());
  }
  const bundle = await bundleProgram({ cacheDirectory });
  const deno = Deno.execPath();
  const { files, command } = denoProgram({ deno, bundle });
  // Not by its name: Deno would take a comma in it for the end of one path and the start of
  // another.
  return programOf(files, command, denoCommand(deno, bundle, ["--allow-read=."]));
}

/** Returns the files and the argv of a program that is Deno with the harness as one file. */
export function denoProgram({ deno, bundle }: { deno: string; bundle: string }) {
  const there = { deno: `${PROGRAM_DIRECTORY}/deno`, bundle: `${PROGRAM_DIRECTORY}/karotte.js` };
  return {
    files: [{ name: "deno", source: deno }, { name: "karotte.js", source: bundle }],
    command: denoCommand(there.deno, there.bundle),
  };
}

function programOf(
  files: SandboxProgram["files"],
  command: readonly string[],
  here: readonly string[],
): HarnessProgram {
  return {
    inSandbox: { files, argv: [...command, "harness"] },
    command,
    describing: (directory) => [...here, "describe", directory],
  };
}
