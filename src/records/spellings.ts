import type { MappedText } from "./mapped_text.ts";

/** A backslash, also one that is percent-encoded, once or more. */
const BACKSLASH = String.raw`(?:\\|%(?:25)*5c)`;
/** A character that is percent-encoded as UTF-8, once or more. */
const PERCENT = "(?:%(?:25)*[c-f][0-9a-f](?:%(?:25)*[89ab][0-9a-f]){1,3}|%(?:25)*[0-7][0-9a-f])";

/** Matches an escape of any depth (`\n`, `\\\"`, `\\u00e9`), or a percent-encoded character. */
const ESCAPED = new RegExp(
  `${BACKSLASH}+(?:u[0-9a-f]{4}|${PERCENT}|[^])?|${PERCENT}`,
  "gi",
);

/** The most times that a text is unescaped: what comes of an escape may look like one. */
const MOST_PASSES = 3;

const BACKSLASHES = new RegExp(`^${BACKSLASH}+`, "i");
const CONTROLS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
};

/**
 * Returns a text without JSON escapes, however deep they are nested, and without percent-encoding.
 * It is the same for all spellings of a text, and of no use otherwise: backslashes are gone.
 */
export function unescaped(text: MappedText): MappedText {
  let last = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = last.replaced(ESCAPED, unescapedUnit);
    if (next === last) break;
    last = next;
  }
  return last;
}

function unescapedUnit(match: string): string {
  const escaped = match.replace(BACKSLASHES, "");
  const unit = escaped.startsWith("%") ? percentDecoded(escaped) : escaped;
  if (escaped.length === match.length) return unit === "\\" ? "" : unit;
  if (/^u[0-9a-f]{4}$/i.test(unit)) return String.fromCharCode(Number.parseInt(unit.slice(1), 16));
  return CONTROLS[unit] ?? unit;
}

/** Returns one character; what is no UTF-8 is left as it is. */
function percentDecoded(text: string): string {
  const isAscii = text.lastIndexOf("%") === 0;
  if (isAscii) return String.fromCharCode(Number.parseInt(text.slice(-2), 16));
  try {
    return decodeURIComponent(text.replace(/%(?:25)*([0-9a-f]{2})(?=%|$)/gi, "%$1"));
  } catch {
    return text;
  }
}

/** Returns a text as forms are sent: a plus stands for a space, and for itself. */
export function withoutPluses(text: string): string {
  return text.replaceAll("+", " ");
}

/** Matches a line break between two characters of base64, and what one may be left of there. */
const LINE_BREAKS = /[\r\n]+/g;

/** Returns an unescaped text in which base64 stands without line breaks, of the one alphabet. */
export function unbroken(text: MappedText): MappedText {
  return text.replaced(LINE_BREAKS, () => "");
}

/** Returns a text in which the two alphabets of base64 are one. */
export function oneAlphabet(text: string): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}
