/** Returns the path without links; undefined if nothing is there. */
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

/** Tells whether a program can be found the way `execvp` would. */
export async function isOnPath(program: string): Promise<boolean> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    if (folder !== "" && await isFile(`${folder}/${program}`)) return true;
  }
  return false;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch {
    // Not there, or in a folder that the caller may not enter: exec would not find it either.
    return false;
  }
}
