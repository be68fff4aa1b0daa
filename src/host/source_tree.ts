import { fileURLToPath } from "node:url";

/** The checkout that this program runs from; undefined in a binary or from a registry. */
export function sourceTree(): string | undefined {
  if (Deno.build.standalone || !import.meta.url.startsWith("file:")) return undefined;
  return fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
}
