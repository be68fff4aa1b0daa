import type { Node } from "jsonc-parser";
import { dirname } from "node:path";
import { KarotteError, messageOf } from "../base/errors.ts";
import { writeWhole } from "../cache/cache_store.ts";
import { manifestError, type ManifestTree, properties, readManifestTree } from "./manifest_tree.ts";
import { splitReference } from "./module_reference.ts";

/** What a new manifest is before something is put in it. */
const EMPTY = '{\n  "plugins": []\n}\n';

/**
 * Appends modules to `"plugins"`, in a new file if there is none; comments and the rest stay as
 * they are. Returns those that were not there. Throws a usage error for a file that is not JSON,
 * with the place, and for one that can't be written.
 */
export async function addModules(path: string, modules: readonly string[]): Promise<string[]> {
  const tree = await readManifestTree(path, EMPTY);
  const list = properties(tree.root).find(({ name }) => name === "plugins")?.value;
  if (list !== undefined && list.type !== "array") {
    throw manifestError(tree, list.offset, '"plugins": expected a list of texts');
  }
  const present = (list?.children ?? []).map(({ value }) => value);
  const added = [...new Set(modules)].filter((module) => !present.includes(module));
  if (added.length === 0) return [];
  const { applyEdits, modify } = await import("jsonc-parser");
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: endOfLine(tree.text) };
  let text = tree.text;
  for (const [index, module] of added.entries()) {
    const place = list === undefined && index === 0 ? [module] : module;
    const way = list === undefined && index === 0 ? ["plugins"] : ["plugins", -1];
    text = applyEdits(text, modify(text, way, place, { formattingOptions }));
  }
  await write(path, text);
  return added;
}

/** Something that a manifest names, as `karotte plugins remove` looks at it. */
export interface NamedThing {
  /** `module` or `module#export`. */
  readonly reference: string;
  /** As `"plugins"` or an entry says it. */
  readonly module: string;
  /** Name of the entry; undefined: it stands in `"plugins"`. */
  readonly entry: string | undefined;
}

/**
 * Takes out everything that `isMeant`, which is asked once of each; comments stay. Returns what was
 * taken out, and all that is left. Throws a usage error like `addModules`.
 */
export async function removeNamed(
  path: string,
  isMeant: (thing: NamedThing) => boolean | Promise<boolean>,
): Promise<{ removed: NamedThing[]; left: NamedThing[] }> {
  const tree = await readManifestTree(path, EMPTY);
  const all = namedThings(tree);
  const answers = await Promise.all(all.map(({ thing }) => isMeant(thing)));
  const meant = all.filter((_, index) => answers[index]);
  const { createScanner } = await import("jsonc-parser");
  const scanner = createScanner(tree.text, true);
  const COMMA = 5;
  const commaAfter = (offset: number): number | undefined => {
    scanner.setPosition(offset);
    return scanner.scan() === COMMA ? scanner.getTokenOffset() : undefined;
  };
  // From the end, so that the places before stay true.
  let text = tree.text;
  for (const { node } of meant.toReversed()) text = withoutNode(text, node, commaAfter);
  if (meant.length > 0) await write(path, text);
  const left = all.filter((_, index) => !answers[index]);
  return { removed: meant.map(({ thing }) => thing), left: left.map(({ thing }) => thing) };
}

/** Returns everything that is named, in the order of the text. */
function namedThings(tree: ManifestTree): { thing: NamedThing; node: Node }[] {
  const thing = (reference: unknown, entry: string | undefined): NamedThing => {
    const text = String(reference);
    const module = entry === undefined ? text : splitReference(text).module;
    return { reference: text, module, entry };
  };
  return properties(tree.root).flatMap(({ name, value }) => {
    if (name === "plugins") {
      return (value.children ?? []).map((node) => ({ thing: thing(node.value, undefined), node }));
    }
    if (name !== "entryPoints") return [];
    return properties(value).flatMap((group) =>
      properties(group.value).flatMap(({ name, key, value }) =>
        // What an entry's own node is: name and value.
        key.parent === undefined ? [] : [{ thing: thing(value.value, name), node: key.parent }]
      )
    );
  });
}

/** Cuts an item and its comma out of a text, and its line if nothing else is there. */
function withoutNode(
  text: string,
  { offset, length }: Node,
  commaAfter: (offset: number) => number | undefined,
): string {
  const comma = commaAfter(offset + length);
  const between = comma === undefined ? "" : text.slice(offset + length, comma);
  const before = text.slice(0, offset);
  const after = between + text.slice(comma === undefined ? offset + length : comma + 1);
  const indent = /[^\S\r\n]*$/.exec(before)?.[0] ?? "";
  const isOwnLine = /(^|[\r\n])$/.test(before.slice(0, before.length - indent.length));
  const restOfLine = /^[^\S\r\n]*(\r\n|\n|\r)/.exec(after);
  if (isOwnLine && restOfLine !== null) {
    return before.slice(0, before.length - indent.length) + after.slice(restOfLine[0].length);
  }
  return before + after.replace(/^[^\S\r\n]+/, "");
}

function endOfLine(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

async function write(path: string, text: string): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    // A link stays one.
    const real = await Deno.realPath(path).catch(() => path);
    const mode = await Deno.stat(real).then((info) => info.mode, () => null);
    await writeWhole(real, text, (mode ?? 0o644) & 0o777);
  } catch (cause) {
    throw new KarotteError("usage", `Cannot write "${path}": ${messageOf(cause)}`, { cause });
  }
}
