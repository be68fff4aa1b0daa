import { isReachableFile } from "../base/files.ts";

/** The path without links; undefined if nothing is there. */
export async function realPathIfThere(path: string): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw error;
  }
}

/** Whether a program can be found the way `execvp` would. */
export function isOnPath(program: string): Promise<boolean> {
  return isInFolders(program, Deno.env.get("PATH") ?? "");
}

/** Whether a program is in one of the folders, which are written as in `PATH`. */
export async function isInFolders(program: string, folders: string): Promise<boolean> {
  for (const folder of folders.split(":")) {
    if (folder !== "" && await isReachableFile(`${folder}/${program}`)) return true;
  }
  return false;
}
