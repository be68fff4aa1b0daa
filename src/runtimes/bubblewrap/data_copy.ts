import { dirname } from "node:path";
import { KarotteError } from "../../base/errors.ts";
import { ifThere } from "../../base/files.ts";
import { type Run, run } from "../../base/process.ts";
import { DATA_DIRECTORIES } from "../../protocol/layout.ts";
import { allDone } from "../../base/promises.ts";
import { leavesDirectory } from "../data_links.ts";

/**
 * Copies the data directories that an environment has to `tree` + their places in the sandbox, and
 * makes those that it has not, empty. Throws a `KarotteError` naming any link that leaves its data
 * directory, and anything that is neither file, folder nor link.
 */
export async function copyDataDirectories(
  environmentDirectory: string,
  tree: string,
  runProgram: Run = run,
): Promise<void> {
  await allDone(DATA_DIRECTORIES.map(async ({ source, target, access }) => {
    const from = `${environmentDirectory}/${source}`;
    const to = tree + target;
    await Deno.mkdir(dirname(to), { recursive: true });
    const info = await ifThere(Deno.lstat(from));
    if (info !== undefined) {
      if (!info.isDirectory) throw refuse(from, "it is not a folder");
      await refuseLeavingLinks(from, runProgram);
      await copyFolder(from, to, runProgram);
    } else {
      await Deno.mkdir(to);
    }
    await Deno.chmod(to, access === "root" ? 0o700 : 0o755);
  }));
}

/** Copies a folder as it is, links as links; owners are not kept. */
export async function copyFolder(from: string, to: string, runProgram: Run = run): Promise<void> {
  const flags = ["-R", "--no-dereference", "--preserve=mode,timestamps,links", "--reflink=auto"];
  const result = await runProgram(["cp", ...flags, "-T", "--", from, to]);
  if (result.code === 0) return;
  const said = new TextDecoder().decode(result.stderr).trim().split("\n")[0];
  throw new KarotteError("runtime", `Cannot copy "${from}": ${said}`);
}

/** Throws a `KarotteError` if the folder holds a device, a FIFO or a socket. */
export async function refuseSpecialFiles(folder: string, runProgram: Run = run): Promise<void> {
  for (const { kind, path } of await listOdd(folder, runProgram)) {
    if (kind !== "l") throw refuse(`${folder}/${path}`, "it is neither file, folder nor link");
  }
}

async function refuseLeavingLinks(folder: string, runProgram: Run): Promise<void> {
  for (const { kind, path, link } of await listOdd(folder, runProgram)) {
    const full = `${folder}/${path}`;
    if (kind !== "l") throw refuse(full, "it is neither file, folder nor link");
    if (leavesDirectory(path, link)) {
      throw refuse(full, `it links to "${link}", outside of the folder`);
    }
  }
}

interface OddFile {
  readonly kind: string;
  readonly path: string;
  readonly link: string;
}

/** Lists all that is neither a file nor a folder, with what links say. */
async function listOdd(folder: string, runProgram: Run): Promise<OddFile[]> {
  const printed = ["-printf", "%y\\0%P\\0%l\\0"];
  const argv = ["find", folder, "!", "-type", "f", "!", "-type", "d", ...printed];
  const result = await runProgram(argv, { maxOutputBytes: MAX_LIST_BYTES });
  if (result.code !== 0) {
    const said = new TextDecoder().decode(result.stderr).trim().split("\n")[0];
    throw new KarotteError("runtime", `Cannot read "${folder}": ${said}`);
  }
  if (result.stdout.length >= MAX_LIST_BYTES) throw refuse(folder, "it holds too many links");
  const fields = new TextDecoder().decode(result.stdout).split("\0");
  return Array.from({ length: Math.floor(fields.length / 3) }, (_, index) => ({
    kind: fields[index * 3] ?? "",
    path: fields[index * 3 + 1] ?? "",
    link: fields[index * 3 + 2] ?? "",
  }));
}

const MAX_LIST_BYTES = 64 * 1024 * 1024;

function refuse(path: string, why: string): KarotteError {
  return new KarotteError("usage", `Cannot copy "${path}" into the sandbox: ${why}`, {
    hint: "Put a file or a folder in its place, or a link that stays within its data directory.",
  });
}
