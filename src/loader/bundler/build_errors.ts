import type { Message } from "esbuild-wasm";
import { didYouMean } from "../../base/did_you_mean.ts";
import { type ErrorCode, KarotteError } from "../../base/errors.ts";
import type { Places } from "./places.ts";
import type { SharedModules } from "../shared_modules.ts";
import { shownPath } from "../../cache/file_tree.ts";

const MOST_LINES = 6;
const MISSING_SHARED_EXPORT = /^No matching export in "karotte-shared:(.*)" for import "(.*)"$/;

/** What is bundled, for those who have to make sense of it. */
export interface BuildSubject {
  /** `environment "x"` or `"./plugin.ts"`: what follows "Cannot load". */
  readonly name: string;
  /** The kind of error it is if it can't be. */
  readonly code: ErrorCode;
  readonly places: Places;
  readonly shared: SharedModules;
}

/** Turns what the bundler found into one error: `file:line:column: text`, six of them at most. */
export function buildError(
  messages: readonly Message[],
  { name, code, places, shared }: BuildSubject,
): KarotteError {
  const lines = messages.slice(0, MOST_LINES).map((message) => lineOf(message, places));
  const more = messages.length - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  const [hint] = messages.flatMap((message) => hintOf(message, shared) ?? []);
  return new KarotteError(
    code,
    `Cannot load ${name}: ${lines.join("\n  ")}`,
    hint === undefined ? {} : { hint },
  );
}

/** Our own notes are hints; the bundler's are about its options. */
function hintOf({ text, notes, pluginName }: Message, shared: SharedModules): string | undefined {
  if (pluginName !== "") return notes[0]?.text;
  const [, key, name] = MISSING_SHARED_EXPORT.exec(text) ?? [];
  if (key === undefined || name === undefined) return undefined;
  const names = key === shared.zod.key ? shared.zod.names : shared.sdk.names;
  const near = didYouMean(name, names);
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

function lineOf({ text, location }: Message, places: Places): string {
  // Of its own accord the bundler names files by their places, without the leading slash.
  const worded = reworded(text).replace(
    /(?<=^No matching export in )"([^":]+)"/,
    (_, place) => `"${shownPath(places.pathOf(`/${place}`))}"`,
  );
  if (location === null) return worded;
  const { file, line, column, lineText } = location;
  const path = shownPath(places.pathOf(`/${file}`));
  return `${path}:${line}:${characters(lineText, column) + 1}: ${worded}`;
}

/** The bundler counts columns in bytes. */
function characters(line: string, bytes: number): number {
  return new TextDecoder().decode(new TextEncoder().encode(line).subarray(0, bytes)).length;
}

function reworded(text: string): string {
  const missing = MISSING_SHARED_EXPORT.exec(text);
  if (missing !== null) {
    const module = missing[1] === "zod" ? "zod" : `@karotte/cli${missing[1]}`;
    return `"${module}" has no export "${missing[2]}"`;
  }
  if (/^This "import" expression will not be bundled/.test(text)) {
    return "Cannot bundle this import: its specifier must be a string literal";
  }
  if (/^Could not resolve import\("/.test(text)) {
    return "Cannot bundle this import: its specifier must be a string literal, not a template";
  }
  return text;
}
