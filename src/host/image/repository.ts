import { basename } from "node:path";

/** `karotte/<name>` for an environment's images, from its folder's name. */
export function repositoryOf(directory: string): string {
  // What the engines take: lower case, separators only between letters and digits.
  const name = basename(directory).toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "").slice(0, 100);
  return `karotte/${name.replace(/_+$/, "") || "environment"}`;
}
