import { ifThereSync } from "../base/files.ts";
import { fileDigest } from "./digest.ts";
import { writeWhole } from "./cache_store.ts";

/** What the cache remembers of a bundle. */
export interface InputRecord {
  /** Names the bundle: a digest of what it holds. */
  readonly digest: string;
  /** Digests of the files that went into it and do not decide about the record's name, by path. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Reads a record; undefined: there is none, or it can't be made sense of. */
export function readRecord(path: string): InputRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
  return isRecord(value) ? value : undefined;
}

export async function writeRecord(path: string, record: InputRecord): Promise<void> {
  await writeWhole(path, JSON.stringify(record));
}

/** Returns true if the files of a record are what they were. */
export function inputsAreSame({ inputs }: InputRecord): boolean {
  return Object.entries(inputs).every(([path, digest]) =>
    ifThereSync(() => fileDigest(path)) === digest
  );
}

function isRecord(value: unknown): value is InputRecord {
  if (typeof value !== "object" || value === null) return false;
  const { digest, inputs } = value as Record<string, unknown>;
  return typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest) &&
    typeof inputs === "object" && inputs !== null &&
    Object.values(inputs).every((entry) => typeof entry === "string");
}
