import { type RunContext, StudentFileError, StudentMisbehaviorError } from "@karotte/cli/sdk";
import { SUBMISSIONS } from "./paths.ts";

/** Bytes that one submitted file may hold. */
const MAX_SUBMISSION_BYTES = 64 * 1024 * 1024;

/**
 * Takes the student's work away before it is judged: ends all processes of the student, so that
 * nothing changes any more, then copies each file to `copyOf(path)`, where only root can reach it,
 * and keeps it with the run's results. A file that was never written has no copy afterwards.
 *
 * Call it in `preScoringHook`. Judges and scoring scripts run as root: let them read the copies and
 * never the originals, which may be links to files that the student can't read.
 * Throws `StudentMisbehaviorError` (score 0) if something else than a readable file lies there.
 */
export async function collectSubmission(
  context: RunContext,
  paths: readonly string[],
): Promise<void> {
  await context.student.killAll();
  for (const path of paths) await collectFile(context, path);
}

/** Where `collectSubmission` puts its copy of a file. */
export function copyOf(path: string): string {
  if (!path.startsWith("/") || path.split("/").includes("..")) {
    throw new TypeError(`Submission "${path}": expected an absolute path without ".."`);
  }
  return `${SUBMISSIONS}${path}`;
}

async function collectFile(context: RunContext, path: string): Promise<void> {
  const copy = copyOf(path);
  const content = await readSubmission(context, path);
  if (content === undefined) {
    await removeStaleCopy(copy);
    return;
  }
  const folder = copy.slice(0, copy.lastIndexOf("/"));
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  await Deno.writeFile(copy, content, { mode: 0o600 });
  await context.saveArtifact(copy);
}

/** With the student's rights: the kernel refuses a link to anything the student can't read. */
async function readSubmission(
  context: RunContext,
  path: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await context.student.readFile(path, { maxBytes: MAX_SUBMISSION_BYTES });
  } catch (error) {
    if (!(error instanceof StudentFileError)) throw error;
    if (error.reason === "not_found") return undefined;
    throw new StudentMisbehaviorError(`Submission "${path}": ${error.message}`);
  }
}

/** An earlier step may have collected the same path. */
async function removeStaleCopy(copy: string): Promise<void> {
  try {
    await Deno.remove(copy);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
