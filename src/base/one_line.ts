/** Characters that `oneLine` returns at most, unless told otherwise. */
const MOST_CHARS = 500;

/** Characters that `printable` shows of a text: about two lines of a terminal. */
const SHOWN_CHARS = 160;

/** Control and format characters (those that turn text around among them), and line breaks. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a stranger's text as one line of at most `mostChars` characters, for a sentence of ours:
 * without control characters, and without credentials and query of the URLs in it, since keys
 * travel there.
 */
export function oneLine(text: string, mostChars: number = MOST_CHARS): string {
  const plain = text.slice(0, 10 * mostChars)
    .replace(/https?:\/\/[^\s"'<>\\]*[^\s"'<>\\.,:;)]/gi, plainUrl);
  const line = harmless(plain, " ").replace(/ {2,}/g, " ").trim();
  return line.length <= mostChars
    ? line
    : `${line.slice(0, mostChars - 1).trimEnd()}…`.toWellFormed();
}

/**
 * Returns the start of a stranger's text as a line of its own, which still shows where something
 * was that a terminal would act on.
 */
export function printable(text: string): string {
  const start = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text;
  return harmless(start, "\u2423");
}

/** Returns all of a text in its own lines, otherwise as `printable` does. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map((line) =>
    line.split("\t").map((cell) => harmless(cell, "\u2423")).join("\t")
  ).join("\n");
}

/**
 * Returns a value as indented JSON in which what a terminal may act on is escaped: it means the
 * same.
 */
export function printableJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split("\n");
  return lines.map((line) => line.replace(UNPRINTABLE, escaped)).join("\n");
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}

/** Replaces each character that a terminal may act on, and halves of surrogate pairs. */
function harmless(text: string, replacement: string): string {
  return text.replace(UNPRINTABLE, replacement).toWellFormed();
}

/** Returns a URL without user, password, query and fragment. */
export function plainUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text.replace(/[?#].*/, "").replace(/\/\/.*@/, "//");
  if (url.origin !== "null") return `${url.origin}${url.pathname}`;
  // One without an origin: `unix:///run/api.sock`.
  Object.assign(url, { username: "", password: "", search: "", hash: "" });
  // Without `//` a user and a password are no parts of it by the rules, and may be meant as such.
  return url.href.includes("//") ? url.href : url.href.replace(/^.*@/, "");
}
