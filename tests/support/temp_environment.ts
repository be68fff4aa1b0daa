import { dirname, join } from "node:path";
import { tempDir } from "../../src/base/temp_dir.ts";
import { bundleEnvironment, type EnvironmentBundle } from "../../src/loader/environment_bundle.ts";

/** An environment made for one test, with a cache of its own. */
export interface TempEnvironment extends AsyncDisposable {
  readonly directory: string;
  readonly cacheDirectory: string;
  write(path: string, content: string): Promise<void>;
  bundle(): Promise<EnvironmentBundle>;
}

/** Writes files (content by path, relative to the environment's folder) into a temporary folder. */
export async function tempEnvironment(
  files: Readonly<Record<string, string>>,
  name = "environment",
): Promise<TempEnvironment> {
  const folder = await tempDir();
  // The folder's real path is what messages name.
  const directory = join(await Deno.realPath(folder.path), name);
  const cacheDirectory = join(folder.path, "cache");
  const write = async (path: string, content: string) => {
    const target = join(directory, path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, content);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  return {
    directory,
    cacheDirectory,
    write,
    bundle: () => bundleEnvironment({ directory, cacheDirectory, offline: true }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
