/** A folder of mode 0700 that is removed, with all it holds, when it goes out of scope. */
export interface TempDir extends AsyncDisposable {
  readonly path: string;
}

/** Makes a folder in `parent`; absent: where this system keeps such folders. */
export async function tempDir(prefix = "karotte-", parent?: string): Promise<TempDir> {
  const path = await Deno.makeTempDir({ prefix, ...(parent === undefined ? {} : { dir: parent }) });
  return {
    path,
    async [Symbol.asyncDispose]() {
      await removeIfThere(path);
    },
  };
}

/** Removes a file or a folder with its content; a path that is not there is fine. */
export async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
