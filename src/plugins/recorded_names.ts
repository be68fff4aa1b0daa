import { join } from "node:path";
import { VERSION } from "../base/version.ts";
import { ensureOwnDirectory } from "../loader/cache_directory.ts";
import { writeWhole } from "../loader/cache_store.ts";
import { digestOf } from "../loader/digest.ts";

/** What a module of `"plugins"` had to offer when it was last loaded. */
export interface RecordedNames {
  /** Of the bundled module that said so. */
  readonly digest: string;
  /** Of its package; null for a file. */
  readonly version: string | null;
  /** What the plugin calls itself. */
  readonly plugin: string;
  /** Names of entries by group. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

/** The files that a local module is made of, as they were then, by path. */
type Stamps = Readonly<Record<string, string>>;

interface StoredNames extends RecordedNames {
  /** Another version of this program may read the module in another way. */
  readonly program: string;
  readonly files: Stamps;
}

/** Undefined: it was never loaded, or what was written then can't be made sense of. */
export function readRecordedNames(
  cacheDirectory: string,
  specifier: string,
): (RecordedNames & { isUnchanged(): boolean }) | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Deno.readTextFileSync(pathOf(cacheDirectory, specifier)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
  const names = parseRecordedNames(value);
  if (names === undefined) return undefined;
  return { ...names, isUnchanged: () => isUnchanged(value) };
}

/** `inputs` are paths of the files that the module was made from. */
export async function writeRecordedNames(
  cacheDirectory: string,
  specifier: string,
  { inputs, ...names }: RecordedNames & { readonly inputs: readonly string[] },
): Promise<void> {
  const files = Object.fromEntries(inputs.map((path) => [path, stampOf(path) ?? ""]));
  const stored: StoredNames = { ...names, program: VERSION, files };
  await ensureOwnDirectory(cacheDirectory);
  await ensureOwnDirectory(join(cacheDirectory, "plugin_names"));
  await writeWhole(pathOf(cacheDirectory, specifier), JSON.stringify(stored));
}

export function parseRecordedNames(value: unknown): RecordedNames | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { digest, version, plugin, groups } = value as Record<string, unknown>;
  const isRecord = typeof digest === "string" && typeof plugin === "string" &&
    (version === null || typeof version === "string") && isGroups(groups);
  return isRecord ? { digest, version, plugin, groups } : undefined;
}

function isGroups(value: unknown): value is RecordedNames["groups"] {
  return typeof value === "object" && value !== null &&
    Object.values(value).every((names) =>
      Array.isArray(names) && names.every((name) => typeof name === "string")
    );
}

function isUnchanged(stored: unknown): boolean {
  // The cache is the caller's own; what is missing in it compares as changed.
  const { program, files = {} } = stored as Partial<StoredNames>;
  const all = Object.entries(files);
  return program === VERSION && all.length > 0 &&
    all.every(([path, stamp]) => stampOf(path) === stamp);
}

/** Changes with the file's content, short of a deliberate deception; undefined: it is not there. */
function stampOf(path: string): string | undefined {
  try {
    const { mtime, ctime, size, ino } = Deno.statSync(path);
    return [mtime?.getTime(), ctime?.getTime(), size, ino].join(" ");
  } catch {
    // Whatever keeps us from it, it is not what it was.
    return undefined;
  }
}

function pathOf(cacheDirectory: string, specifier: string): string {
  return join(cacheDirectory, "plugin_names", `${digestOf(specifier)}.json`);
}
