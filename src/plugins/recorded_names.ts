import { join } from "node:path";
import { VERSION } from "../base/version.ts";
import { ensureOwnDirectory } from "../cache/cache_directory.ts";
import { writeWhole } from "../cache/cache_store.ts";
import { digestOf } from "../cache/digest.ts";
import { areUnchanged, type Stamps, stampsOf } from "../cache/stamps.ts";

/** What a module of `"plugins"` had to offer when it was last loaded. */
export interface OfferedNames {
  /** Of the bundled module that said so. */
  readonly digest: string;
  /** Of its package; null for a file. */
  readonly version: string | null;
  /** What the plugin calls itself. */
  readonly plugin: string;
  /** Names of entries by group. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

/** What the cache knows of a module. */
export interface RecordedNames extends OfferedNames {
  /** Another version of this program may read the module in another way. */
  readonly program: string;
  /** The files that it was made from, as they were then; none for a package. */
  readonly files: Stamps;
}

/** Undefined: it was never loaded, or what was written then can't be made sense of. */
export function readRecordedNames(
  cacheDirectory: string,
  specifier: string,
): RecordedNames | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Deno.readTextFileSync(pathOf(cacheDirectory, specifier)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
  const names = parseOfferedNames(value);
  if (names === undefined) return undefined;
  // parseOfferedNames accepts objects only; the caller's own cache has the rest as it was written.
  const { program = "", files = {} } = value as Partial<RecordedNames>;
  return { ...names, program, files };
}

/** Whether a local module is what it was. */
export function isUpToDate({ program, files }: RecordedNames): boolean {
  return program === VERSION && Object.keys(files).length > 0 && areUnchanged(files);
}

/** `inputs` are paths of the files that the module was made from. */
export async function writeRecordedNames(
  cacheDirectory: string,
  specifier: string,
  { inputs, ...names }: OfferedNames & { readonly inputs: readonly string[] },
): Promise<void> {
  const record: RecordedNames = { ...names, program: VERSION, files: stampsOf(inputs) };
  await ensureOwnDirectory(cacheDirectory);
  await ensureOwnDirectory(join(cacheDirectory, "plugin_names"));
  await writeWhole(pathOf(cacheDirectory, specifier), JSON.stringify(record));
}

export function parseOfferedNames(value: unknown): OfferedNames | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { digest, version, plugin, groups } = value as Record<string, unknown>;
  const isWhole = typeof digest === "string" && typeof plugin === "string" &&
    (version === null || typeof version === "string") && isGroups(groups);
  return isWhole ? { digest, version, plugin, groups } : undefined;
}

function isGroups(value: unknown): value is OfferedNames["groups"] {
  return typeof value === "object" && value !== null &&
    Object.values(value).every((names) =>
      Array.isArray(names) && names.every((name) => typeof name === "string")
    );
}

function pathOf(cacheDirectory: string, specifier: string): string {
  return join(cacheDirectory, "plugin_names", `${digestOf(specifier)}.json`);
}
