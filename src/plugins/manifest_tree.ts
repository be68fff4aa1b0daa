import type { Node } from "jsonc-parser";
import { KarotteError, messageOf } from "../base/errors.ts";
import { parseJsoncTree, placeAt } from "../base/json_text.ts";

/** A manifest's text as a tree that knows where everything stands. */
export interface ManifestTree {
  readonly path: string;
  readonly text: string;
  readonly root: Node;
}

/**
 * Reads a manifest: JSON with comments, commas after the last item, a byte order mark and CRLF are
 * all fine. Throws a usage error with file, line and column for text that is not. A file that is
 * not there reads as `otherwise`; without that it is an error too.
 */
export async function readManifestTree(path: string, otherwise?: string): Promise<ManifestTree> {
  const text = await readText(path, otherwise);
  const read = await parseJsoncTree(text);
  if (read.failure !== undefined) {
    throw manifestError({ path, text }, read.failure.offset, read.failure.reason);
  }
  const root = read.value;
  if (root?.type !== "object") {
    throw manifestError({ path, text }, root?.offset ?? 0, "expected an object");
  }
  return { path, text, root };
}

/** Names a place in messages: `/home/me/karotte.plugins.json:3:14`. */
export function placeIn(
  { path, text }: Pick<ManifestTree, "path" | "text">,
  offset: number,
): string {
  const { line, column } = placeAt(text, offset);
  return `${path}:${line}:${column}`;
}

export function manifestError(
  tree: Pick<ManifestTree, "path" | "text">,
  offset: number,
  found: string,
): KarotteError {
  return new KarotteError("usage", `Cannot read ${placeIn(tree, offset)}: ${found}`, {
    hint: "karotte plugins schema says what is in a manifest; --no-plugins goes on without",
  });
}

/**
 * Returns name, name's node and value's node of each property, in order; none if it is no object.
 */
export function properties(node: Node): { name: string; key: Node; value: Node }[] {
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key && value ? [{ name: String(key.value), key, value }] : []
  );
}

async function readText(path: string, otherwise: string | undefined): Promise<string> {
  try {
    // The decoder takes the byte order mark off.
    return new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound && otherwise !== undefined) return otherwise;
    const isMissing = cause instanceof Deno.errors.NotFound;
    const isText = !(cause instanceof TypeError);
    const found = isMissing ? "no such file" : isText ? messageOf(cause) : "it is not UTF-8 text";
    throw new KarotteError("usage", `Cannot read plugins "${path}": ${found}`, { cause });
  }
}
