import { type Run, run } from "../../base/process.ts";
import { KarotteError } from "../../base/errors.ts";
import {
  DATA_DIRECTORIES,
  PRIVATE_DIRECTORY,
  STATE_DIRECTORY,
  WORK_DIRECTORY,
} from "../../protocol/layout.ts";
import type { SandboxFiles } from "../runtime.ts";
import { allDone } from "../../base/promises.ts";
import { copyDataDirectories, copyFolder, refuseSpecialFiles } from "./data_copy.ts";
import { writeEtc } from "./etc_folder.ts";
import type { Identity } from "./identity.ts";

/** A folder with a run's own copies. */
export interface Tree {
  /** Names in /etc that the host's are bound over. */
  readonly etc: readonly string[];
}

/**
 * Fills `tree`, a folder that does not exist yet, with a run's own copies, each at its place in the
 * sandbox (`<tree>/workdir/data`). All of it belongs to the sandbox's root.
 */
export async function makeTree(
  tree: string,
  { privateDirectory, environmentDirectory }: SandboxFiles,
  identity: Identity,
  runProgram: Run = run,
): Promise<Tree> {
  for (const path of [WORK_DIRECTORY, STATE_DIRECTORY, "/opt/karotte", "/etc"]) {
    await Deno.mkdir(tree + path, { recursive: true });
  }
  const etc = await writeEtc(`${tree}/etc`);
  await allDone([
    copyPrivate(privateDirectory, tree + PRIVATE_DIRECTORY, runProgram),
    copyDataDirectories(environmentDirectory, tree, runProgram),
  ]);
  if (identity.privileged) await giveTo(identity, tree, runProgram);
  // Last, for the umask may have taken bits and chown takes some too.
  await setModes(tree);
  return { etc };
}

async function copyPrivate(from: string, to: string, runProgram: Run): Promise<void> {
  await refuseSpecialFiles(from, runProgram);
  await copyFolder(from, to, runProgram);
}

async function giveTo({ root }: Identity, tree: string, runProgram: Run): Promise<void> {
  const owner = `${root.uid}:${root.gid}`;
  const result = await runProgram(["chown", "-R", "--no-dereference", "--", owner, tree]);
  if (result.code === 0) return;
  const said = new TextDecoder().decode(result.stderr).trim().split("\n")[0];
  throw new KarotteError("runtime", `Cannot hand "${tree}" to the sandbox: ${said}`);
}

async function setModes(tree: string): Promise<void> {
  const modes: [string, number][] = [
    ["", 0o700],
    ["/etc", 0o755],
    [WORK_DIRECTORY, 0o1777],
    [PRIVATE_DIRECTORY, 0o700],
    [STATE_DIRECTORY, 0o700],
    ...DATA_DIRECTORIES.map(({ target, access }): [string, number] => [
      target,
      access === "root" ? 0o700 : 0o755,
    ]),
  ];
  for (const [path, mode] of modes) await Deno.chmod(tree + path, mode);
}
