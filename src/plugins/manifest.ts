import type { Node } from "jsonc-parser";
import { dirname } from "node:path";
import { didYouMean } from "../base/did_you_mean.ts";
import { type ModuleTarget, moduleTarget } from "../loader/module_target.ts";
import { canonicalGroup } from "./groups.ts";
import {
  manifestError,
  type ManifestTree,
  placeIn,
  properties,
  readManifestTree,
} from "./manifest_tree.ts";
import { splitReference } from "./module_reference.ts";

/** A line of `"entryPoints"`. */
export interface NamedEntry {
  readonly target: ModuleTarget;
  /** With its prefix; not necessarily one that there is. */
  readonly group: string;
  readonly name: string;
  /** Name of the module's export. */
  readonly attribute: string;
}

export interface Manifest {
  readonly path: string;
  /** Any failure to load is fatal. */
  readonly strict: boolean;
  /** `"plugins"`, in order. */
  readonly modules: readonly ModuleTarget[];
  /** `"entryPoints"`, in order. */
  readonly entries: readonly NamedEntry[];
  /** Groups as they are written, with their places. */
  readonly groups: readonly { readonly written: string; readonly place: string }[];
  /** What the user should know, though it stops nothing. */
  readonly remarks: readonly string[];
}

const FIELDS = ["$schema", "strict", "plugins", "entryPoints"];

/**
 * Reads a manifest. Throws a usage error with file, line and column where it is not as it should
 * be, a plugin error where it names something that can't be a plugin.
 */
export async function readManifest(path: string): Promise<Manifest> {
  const tree = await readManifestTree(path);
  const fields = new Map<string, Node>();
  const remarks: string[] = [];
  for (const { name, key, value } of properties(tree.root)) {
    if (fields.has(name)) remarks.push(`${placeIn(tree, key.offset)}: "${name}" again: ignored`);
    else fields.set(name, value);
    if (FIELDS.includes(name)) continue;
    const guess = didYouMean(name, FIELDS);
    const hint = guess === undefined ? "" : `; did you mean "${guess}"?`;
    remarks.push(`${placeIn(tree, key.offset)}: unknown field "${name}", ignored${hint}`);
  }
  const reader = new ManifestReader(tree, remarks);
  return {
    path,
    remarks,
    strict: reader.boolean(fields.get("strict")),
    modules: reader.modules(fields.get("plugins")),
    ...reader.entryPoints(fields.get("entryPoints")),
  };
}

class ManifestReader {
  readonly #tree: ManifestTree;
  readonly #remarks: string[];
  readonly #directory: string;

  constructor(tree: ManifestTree, remarks: string[]) {
    this.#tree = tree;
    this.#remarks = remarks;
    this.#directory = dirname(tree.path);
  }

  boolean(node: Node | undefined): boolean {
    if (node === undefined) return false;
    if (node.type !== "boolean") throw this.#expected(node, '"strict"', "true or false");
    return node.value === true;
  }

  modules(node: Node | undefined): ModuleTarget[] {
    if (node === undefined) return [];
    if (node.type !== "array") throw this.#expected(node, '"plugins"', "a list of texts");
    return (node.children ?? []).map((item) => this.#target(item, this.#text(item, '"plugins"')));
  }

  entryPoints(node: Node | undefined): Pick<Manifest, "entries" | "groups"> {
    if (node === undefined) return { entries: [], groups: [] };
    if (node.type !== "object") {
      throw this.#expected(node, '"entryPoints"', "an object of groups");
    }
    const entries = new Map<string, NamedEntry>();
    const groups = properties(node).map(({ name: written, key, value }) => {
      if (value.type !== "object") {
        throw this.#expected(value, `"${written}"`, 'an object of "module#attribute" by name');
      }
      const group = canonicalGroup(written);
      for (const { name, key, value: item } of properties(value)) {
        const place = placeIn(this.#tree, key.offset);
        if (entries.has(`${group} ${name}`)) {
          this.#remarks.push(`${place}: "${name}" of ${group} again: ignored`);
          continue;
        }
        const { module, attribute } = splitReference(this.#text(item, `"${name}"`));
        const target = this.#target(item, module);
        entries.set(`${group} ${name}`, { target, group, name, attribute });
      }
      return { written, place: placeIn(this.#tree, key.offset) };
    });
    return { entries: [...entries.values()], groups };
  }

  #target(node: Node, module: string): ModuleTarget {
    return moduleTarget(module, this.#directory, placeIn(this.#tree, node.offset));
  }

  #text(node: Node, what: string): string {
    if (node.type === "string" && node.value !== "") return String(node.value);
    throw this.#expected(node, what, "a text that is not empty");
  }

  #expected(node: Node, what: string, wanted: string) {
    const found = node.type === "string" ? `"${node.value}"` : node.type;
    return manifestError(this.#tree, node.offset, `${what}: expected ${wanted}, found ${found}`);
  }
}
