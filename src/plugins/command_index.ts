import { VERSION } from "../base/version.ts";
import { areUnchanged, type Stamps, stampsOf } from "../cache/stamps.ts";

/** A command that a plugin adds, as help lists it. */
export interface IndexedCommand {
  readonly name: string;
  readonly plugin: string;
}

interface CommandIndex {
  readonly program: string;
  /** Everything that decides about the commands: manifests, lock files, modules. */
  readonly files: Stamps;
  readonly commands: readonly IndexedCommand[];
}

/**
 * The commands that the plugins of these manifests added when somebody last asked; undefined: not
 * known, or something has changed since. With many plugins it saves most of what help would cost.
 */
export async function readCommandIndex(
  cacheDirectory: string,
  manifests: readonly string[],
): Promise<readonly IndexedCommand[] | undefined> {
  try {
    const text = Deno.readTextFileSync(await pathOf(cacheDirectory, manifests));
    // The caller's own cache has what was written.
    const { program, files, commands } = JSON.parse(text) as CommandIndex;
    return program === VERSION && areUnchanged(files) ? commands : undefined;
  } catch {
    // It is only a short cut: whatever is wrong with it, it is made again.
    return undefined;
  }
}

export async function writeCommandIndex(
  cacheDirectory: string,
  manifests: readonly string[],
  { files, commands }: { files: readonly string[]; commands: readonly IndexedCommand[] },
): Promise<void> {
  const { writeWhole } = await import("../cache/cache_store.ts");
  const { ensureOwnDirectory } = await import("../cache/cache_directory.ts");
  await ensureOwnDirectory(cacheDirectory);
  await ensureOwnDirectory(`${cacheDirectory}/plugin_names`);
  const index: CommandIndex = { program: VERSION, files: stampsOf(files), commands };
  await writeWhole(await pathOf(cacheDirectory, manifests), JSON.stringify(index));
}

/** Not by `node:crypto`, whose import would cost more than all the rest. */
async function pathOf(cacheDirectory: string, manifests: readonly string[]): Promise<string> {
  const name = new TextEncoder().encode(JSON.stringify(manifests));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", name));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${cacheDirectory}/plugin_names/commands-${hex}.json`;
}
