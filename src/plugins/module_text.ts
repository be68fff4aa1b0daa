import { dirname, extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isReachableFileSync } from "../base/files.ts";
import { spellingsOf } from "./groups.ts";

/** What the text of a module says without being run: what it may offer, and never that it does. */
export interface ModuleText {
  /** Texts of the module and of the local files that it imports. */
  readonly texts: readonly string[];
  /** Says that more than those texts may decide what the module offers. */
  readonly hasMore: boolean;
  /** Says that it may offer what a package brings, of which there is no text. */
  readonly isMixed: boolean;
}

/** Limits what is read: a module may import any file of this machine. */
const MOST_FILES = 1_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Finds what a text imports: statically, by `import()` or by `require()`, in comments too. */
const IMPORTS = /\b(?:from|import|require)\s*(?:\(\s*)?(["'`])([^"'`\n]+)\1/g;

/** Finds where values of others may be put among one's own: spread, copied, by a computed key. */
const MIXING = /\.\.\.|\bObject\s*\.\s*(?:assign|fromEntries)\b|\]\s*(?::|=(?!=))/;

/** Finds entry points that a text spells out, and does not take from elsewhere as they are. */
const OWN_ENTRY_POINTS = /\bentryPoints\b[^;{}()]*[:=]\s*\{/;

const OURS = /^(npm:|jsr:)?\/?@karotte\/cli(@[^/]*)?\/sdk$|^node:/;

const EXTENSIONS = [".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".jsx", ".json"];

/**
 * Reads a module's file and the local files that it imports, whether or not they can be parsed.
 * Texts that can't be read, and packages whose values may be among the entry points, are more than
 * the texts that there are.
 */
export function readModuleText(path: string): ModuleText {
  const texts: string[] = [];
  const paths = new Set([path]);
  let hasPackages = false;
  let isMixed = false;
  let bytesLeft = MOST_BYTES;
  for (const each of paths) {
    if (texts.length === MOST_FILES) break;
    const text = textOf(each, bytesLeft);
    if (text === undefined) continue;
    texts.push(text);
    bytesLeft -= text.length;
    const specifiers = [...text.matchAll(IMPORTS)].map(([, , specifier = ""]) => specifier);
    for (const specifier of specifiers.filter((one) => !OURS.test(one))) {
      if (isPath(specifier)) paths.add(fileOf(specifier, dirname(each)));
      else {
        hasPackages = true;
        isMixed ||= MIXING.test(text);
      }
    }
  }
  isMixed ||= hasPackages && !texts.some((text) => OWN_ENTRY_POINTS.test(text));
  return { texts, hasMore: isMixed || texts.length < paths.size, isMixed };
}

/** Returns true if a text has the group, in one of its spellings, as a key or as a string. */
export function namesGroup({ texts }: ModuleText, group: string): boolean {
  const spellings = spellingsOf(group);
  return texts.some((text) => spellings.some((spelling) => hasKey(text, spelling)));
}

/** Returns true if the texts have both the group and the entry's name as keys or as strings. */
export function namesEntry(text: ModuleText, group: string, name: string): boolean {
  return namesGroup(text, group) && text.texts.some((each) => hasKey(each, name));
}

/**
 * Returns true if a text has a word as a whole string, or as what may be a key or a declared name:
 * `word:`, `word,`, `word }`, `word(`, `word =`.
 */
function hasKey(text: string, word: string): boolean {
  if (word === "") return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + word.length]];
    if (before !== "" && "\"'`".includes(before) && before === after) return true;
    if (/[\w$.-]/.test(before)) continue;
    if (/^\s*([:,}(]|=(?!=))/.test(text.slice(at + word.length, at + word.length + 80))) {
      return true;
    }
  }
  return false;
}

/** Returns a file's text; undefined: it is not there, no file, too big, or may not be read. */
function textOf(path: string, mostBytes: number): string | undefined {
  try {
    // A pipe or a device would never end, and files of /proc, which are empty, need not either.
    const { isFile, size } = Deno.statSync(path);
    if (size === 0) return isFile ? "" : undefined;
    return isFile && size <= mostBytes ? Deno.readTextFileSync(path) : undefined;
  } catch {
    // Whatever keeps us from it, the caller is told that there is more.
    return undefined;
  }
}

function isPath(specifier: string): boolean {
  return /^(\.{0,2}\/|file:)/.test(specifier);
}

/** Returns the path of what a file imports, as the bundler looks for it. */
function fileOf(specifier: string, folder: string): string {
  const path = pathOf(specifier, folder);
  const stem = path.slice(0, path.length - extname(path).length);
  const candidates = [
    path,
    ...EXTENSIONS.map((extension) => path + extension),
    ...EXTENSIONS.map((extension) => stem + extension),
    ...["mod", "index"].flatMap((name) => EXTENSIONS.map((end) => `${path}/${name}${end}`)),
  ];
  return candidates.find(isReachableFileSync) ?? path;
}

function pathOf(specifier: string, folder: string): string {
  if (!specifier.startsWith("file:")) return resolve(folder, decoded(specifier));
  try {
    return fileURLToPath(specifier);
  } catch {
    // Nothing has that path, and so it is told that there is more.
    return resolve(folder, specifier);
  }
}

/** Imports are URLs: `%20` is a space. */
function decoded(specifier: string): string {
  const path = specifier.replace(/[?#].*$/, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
