/** A file to upload. */
export interface ArtifactEntry {
  /** Names from the folder on, joined by `/`. */
  readonly name: string;
  readonly path: string;
}

/** A file that the store had not finished. */
const PARTIAL = /^\.[0-9a-f-]{36}\.partial$/;

/**
 * The regular files below a folder, in the order of their names. Links and special files are left.
 */
export async function* artifactFiles(folder: string, prefix = ""): AsyncGenerator<ArtifactEntry> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  entries.sort((left, right) => left.name < right.name ? -1 : 1);
  for (const { name, isDirectory, isFile } of entries) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* artifactFiles(path, `${prefix}${name}/`);
    if (isFile && !PARTIAL.test(name)) yield { name: `${prefix}${name}`, path };
  }
}

/** Opens a regular file that is no link; throws if it is anything else, or became so meanwhile. */
export async function openRegular(path: string): Promise<Deno.FsFile> {
  const named = await Deno.lstat(path);
  if (!named.isFile) throw new Error("not a regular file");
  const file = await Deno.open(path, { read: true });
  try {
    const opened = await file.stat();
    if (opened.dev === named.dev && opened.ino === named.ino) return file;
    throw new Error("it was replaced while it was opened");
  } catch (error) {
    file.close();
    throw error;
  }
}
