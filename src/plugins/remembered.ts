import { readTextIfThereSync } from "../base/files.ts";
import { VERSION } from "../base/version.ts";
import { areUnchanged, type Stamps, stampsOf } from "../cache/stamps.ts";

/** Something that was found out from files, as the cache keeps it. */
export interface Remembered {
  readonly value: unknown;
  /** Paths of the files that it was found out from. */
  readonly files: readonly string[];
  /** Returns true if there are such files, and they and this program are what they were then. */
  isCurrent(): boolean;
}

interface StoredRecord {
  readonly program: string;
  readonly files: Stamps;
  readonly value: unknown;
}

/** Reads what is remembered by a name; undefined: nothing, or nothing that can be made sense of. */
export async function readRemembered(
  cacheDirectory: string,
  name: string,
): Promise<Remembered | undefined> {
  let record: unknown;
  try {
    record = JSON.parse(readTextIfThereSync(await pathOf(cacheDirectory, name)) ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isRecord(record)) return undefined;
  const { program, files, value } = record;
  const paths = Object.keys(files);
  const isCurrent = () => program === VERSION && paths.length > 0 && areUnchanged(files);
  return { value, files: paths, isCurrent };
}

/** Remembers a value by a name, and the present state of the files that it was found out from. */
export async function remember(
  cacheDirectory: string,
  name: string,
  { value, files }: Pick<Remembered, "value" | "files">,
): Promise<void> {
  const [{ writeWhole }, { ensureOwnDirectory }] = await Promise.all([
    import("../cache/cache_store.ts"),
    import("../cache/cache_directory.ts"),
  ]);
  await ensureOwnDirectory(cacheDirectory);
  await ensureOwnDirectory(folderOf(cacheDirectory));
  const record: StoredRecord = { program: VERSION, files: stampsOf(files), value };
  await writeWhole(await pathOf(cacheDirectory, name), JSON.stringify(record));
}

function isRecord(value: unknown): value is StoredRecord {
  if (typeof value !== "object" || value === null) return false;
  const { program, files } = value as Readonly<{ [Key in keyof StoredRecord]?: unknown }>;
  return typeof program === "string" && typeof files === "object" && files !== null;
}

function folderOf(cacheDirectory: string): string {
  return `${cacheDirectory}/plugin_offers`;
}

/**
 * Returns the path of a record. Not by `node:crypto`, whose import would cost more than all the
 * rest of `--help`.
 */
async function pathOf(cacheDirectory: string, name: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  return `${folderOf(cacheDirectory)}/${new Uint8Array(digest).toHex()}.json`;
}
