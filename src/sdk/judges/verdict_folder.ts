import { KarotteError, messageOf } from "../../base/errors.ts";
import { type TempDir, tempDir } from "../../base/temp_dir.ts";

/**
 * The parent of verdicts: in a sandbox it is in memory and root's (0755), with a size of its own,
 * so the student can neither enter a folder in it nor take its room.
 */
const VERDICT_PARENT = "/run";
/** Bytes that are written to see whether there is room for a verdict. */
const PROBE_BYTES = 4096;

/** Makes a folder (0700) for the verdict of one program. Throws an error that says it can't. */
export async function verdictFolder(parent = VERDICT_PARENT): Promise<TempDir> {
  try {
    return await tempDir("karotte-verdict-", parent);
  } catch (error) {
    throw unwritable(parent, error);
  }
}

/** Throws an error that says so if nothing can be written in a verdict's folder. */
export async function checkWritable({ path }: TempDir): Promise<void> {
  const probe = `${path}/${crypto.randomUUID()}`;
  try {
    await Deno.writeFile(probe, new Uint8Array(PROBE_BYTES), { createNew: true });
  } catch (error) {
    throw unwritable(path, error);
  }
  await Deno.remove(probe);
}

function unwritable(path: string, cause: unknown): KarotteError {
  return new KarotteError("run", `Cannot write a verdict in "${path}": ${messageOf(cause)}`, {
    hint: `the sandbox has to have room in ${VERDICT_PARENT} that root can write to`,
    cause,
  });
}
