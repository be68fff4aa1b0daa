import { dirname } from "node:path";
import { KarotteError, messageOf } from "../base/errors.ts";

/**
 * Creates a folder that must not exist, and its parents where they are missing. Returns the topmost
 * folder that this call created. Throws a `KarotteError`, and then leaves no folder behind.
 */
export async function createDirectory(directory: string): Promise<string> {
  let topmost: string | undefined;
  try {
    for (const parent of await missingParents(directory)) {
      // One by one: a parent that someone else creates meanwhile is theirs, not ours to remove.
      if (await makeDirectory(parent)) topmost ??= parent;
    }
    await Deno.mkdir(directory);
    return topmost ?? directory;
  } catch (error) {
    if (topmost !== undefined) await Deno.remove(topmost, { recursive: true });
    throw creationError(directory, error);
  }
}

/** Those of a folder's parents that do not exist, outermost first. */
async function missingParents(directory: string): Promise<string[]> {
  const missing: string[] = [];
  for (let path = dirname(directory); !(await exists(path)); path = dirname(path)) {
    missing.unshift(path);
  }
  return missing;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    // For example a file where a folder should be: creating the next one says so.
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** False if it was there already. */
async function makeDirectory(path: string): Promise<boolean> {
  try {
    await Deno.mkdir(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

function creationError(directory: string, cause: unknown): KarotteError {
  const action = `Cannot create environment "${directory}"`;
  return cause instanceof Deno.errors.AlreadyExists
    ? new KarotteError("usage", `${action}: it exists already`, {
      hint: "Choose another name, or remove it first.",
      cause,
    })
    : new KarotteError("usage", `${action}: ${messageOf(cause)}`, {
      hint: "Choose a place where you may create folders.",
      cause,
    });
}
