import { basename } from "node:path";
import * as z from "zod";
import { ifThere } from "../../base/files.ts";
import { type Run, run } from "../../base/process.ts";
import { KarotteError } from "../../base/errors.ts";
import { groupFolders } from "./control_group.ts";
import { currentOwner, isDead, ownerSchema } from "../owner.ts";

const PREFIX = "karotte-bubblewrap-";
const RECORD = "owner.json";
/** A folder has its record within a moment; this is for a host that stood still. */
const RECORD_WITHIN_MS = 3_600_000;

/** Everything that a run has on the host's disk: a folder of mode 0700 with an owner record. */
export interface RunFolder {
  /** Absolute; its last component names the run's control groups too. */
  readonly path: string;
  readonly name: string;
  /** Where the run's control groups are, or would be. */
  readonly groups: readonly string[];
}

const recordSchema = z.strictObject({
  run_id: z.string(),
  owner: ownerSchema,
  groups: z.array(z.string()),
});

/** Where run folders are made if nothing else is said: on disk, which /tmp often is not. */
export function defaultDirectory(): string {
  return Deno.env.get("TMPDIR") || "/var/tmp";
}

export async function createRunFolder(directory: string, runId: string): Promise<RunFolder> {
  const path = await Deno.realPath(await makeFolder(directory));
  const name = basename(path);
  // Written down before they are made; another process may see another part of the hierarchy.
  const groups = groupFolders(name);
  const record = { run_id: runId, owner: currentOwner(), groups };
  await Deno.writeTextFile(`${path}/${RECORD}`, JSON.stringify(record), { mode: 0o600 });
  return { path, name, groups };
}

async function makeFolder(directory: string): Promise<string> {
  try {
    return await Deno.makeTempDir({ dir: directory, prefix: PREFIX });
  } catch (error) {
    throw new KarotteError("runtime", `Cannot make a folder in "${directory}": ${String(error)}`, {
      hint: "Set TMPDIR to a folder on disk that you may write to.",
      cause: error,
    });
  }
}

/** The caller's run folders in `directory` whose owner is dead. Anything doubtful is left alone. */
export async function abandonedFolders(directory: string): Promise<RunFolder[]> {
  const found: RunFolder[] = [];
  for await (const entry of Deno.readDir(directory)) {
    if (!entry.isDirectory || !entry.name.startsWith(PREFIX)) continue;
    const path = `${directory}/${entry.name}`;
    const info = await ifThere(Deno.lstat(path));
    // Only the caller can have written a record into a 0700 folder of the caller.
    if (info?.uid !== Deno.uid() || ((info?.mode ?? 0) & 0o77) !== 0) continue;
    const groups = await groupsIfAbandoned(path, info.mtime);
    if (groups !== undefined) found.push({ path, name: entry.name, groups });
  }
  return found;
}

/** The control groups that a dead owner wrote down; undefined if it may live. */
async function groupsIfAbandoned(path: string, madeAt: Date | null): Promise<string[] | undefined> {
  try {
    const text = await Deno.readTextFile(`${path}/${RECORD}`);
    const { owner, groups } = recordSchema.parse(JSON.parse(text));
    return isDead(owner) ? groups : undefined;
  } catch {
    // Never written, or half: its maker is at work this moment, or died at just that point.
    const old = madeAt !== null && Date.now() - madeAt.getTime() > RECORD_WITHIN_MS;
    return old ? [] : undefined;
  }
}

/**
 * Removes a run folder with the caller's rights; false if they do not suffice. `rm` and not our own
 * walk: a student can make trees deeper than any stack.
 */
export async function removeFolder(path: string, runProgram: Run = run): Promise<boolean> {
  return (await runProgram(["rm", "-rf", "--one-file-system", "--", path])).code === 0;
}
