import { basename, join } from "node:path";
import { ensureOwnDirectory } from "../../cache/cache_directory.ts";
import { takeLock } from "../../cache/cache_store.ts";
import { digestOf } from "../../cache/digest.ts";

/** The log of an environment's builds; while it is open no other process builds the same. */
export interface BuildLog extends Disposable {
  readonly path: string;
  write(bytes: Uint8Array): void;
}

/** Opens the log `builds/<environment>-<digest of its folder>.log` of the cache, emptied. */
export async function openBuildLog(cacheDirectory: string, directory: string): Promise<BuildLog> {
  const folder = await ensureOwnDirectory(join(cacheDirectory, "builds"));
  const name = `${basename(directory)}-${digestOf(directory).slice(0, 8)}`;
  using stack = new DisposableStack();
  stack.use(await takeLock(join(folder, `${name}.lock`)));
  const path = join(folder, `${name}.log`);
  const file = stack.use(
    await Deno.open(path, { create: true, write: true, truncate: true, mode: 0o600 }),
  );
  const all = stack.move();
  return {
    path,
    write(bytes) {
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
    },
    [Symbol.dispose]: () => all.dispose(),
  };
}
