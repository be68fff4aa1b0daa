import { basename } from "node:path";
import { digestOf } from "../../cache/digest.ts";

/** Returns `karotte/<name>`, the repository of an environment's images, from its folder's name. */
export function repositoryOf(directory: string): string {
  // What registries take: lower case, separators only between letters and digits.
  const name = basename(directory).toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "").slice(0, 100);
  return `karotte/${name.replace(/_+$/, "") || "environment"}`;
}

const LAST = "last_";
/** The characters of the digest of the folder's path. */
const FOLDER_CHARS = 8;

/** Names the last image of exactly this folder: others may be called the same. */
export function lastReference(directory: string): string {
  const folder = digestOf(Deno.realPathSync(directory)).slice(0, FOLDER_CHARS);
  return `${repositoryOf(directory)}:${LAST}${folder}`;
}

/** Tells whether it is the name of a last image: of this folder, or of another one. */
export function isLastReference(reference: string): boolean {
  return reference.includes(`:${LAST}`);
}
