import { denoCommand, selfCommand } from "../base/self_command.ts";
import { bundleProgram } from "../loader/program.ts";
import type { SandboxProgram } from "../runtimes/runtime.ts";
import { PROGRAM_DIRECTORY } from "../schemas/layout.ts";

/** The harness's program: for a sandbox, and for `describe` on this machine. */
export interface HarnessProgram {
  readonly inSandbox: SandboxProgram;
  /** The argv that starts it in there, without a command. */
  readonly command: readonly string[];
  /** The argv of the same program here. */
  readonly here: readonly string[];
}

/** The compiled binary serves as it is; from source it is Deno with a bundle from the cache. */
export async function harnessProgram(cacheDirectory: string): Promise<HarnessProgram> {
  if (Deno.build.standalone) {
    const files = [{ name: "karotte", source: Deno.execPath() }];
    return programOf(files, [`${PROGRAM_DIRECTORY}/karotte`], selfCommand());
  }
  const bundle = await bundleProgram({ cacheDirectory });
  const deno = `${PROGRAM_DIRECTORY}/deno`;
  const bundleThere = `${PROGRAM_DIRECTORY}/karotte.js`;
  const files = [
    { name: "deno", source: Deno.execPath() },
    { name: "karotte.js", source: bundle },
  ];
  return programOf(files, denoCommand(deno, bundleThere), denoCommand(Deno.execPath(), bundle));
}

function programOf(
  files: SandboxProgram["files"],
  command: readonly string[],
  here: readonly string[],
): HarnessProgram {
  return { inSandbox: { files, argv: [...command, "harness"] }, command, here };
}
