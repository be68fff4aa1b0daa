import { MappedText } from "./mapped_text.ts";
import { oneAlphabet, unescaped, withoutPluses } from "./spellings.ts";

/** The units of the shortest run of base64 that is looked for. */
const MIN_BASE64_CHARS = 7;

/** The texts that give a secret away, as they stand in a text of each kind. */
export interface Needles {
  /** The needles in a text as it is. */
  readonly plain: ReadonlySet<string>;
  /** Those in a text without escapes and pluses. */
  readonly unescaped: ReadonlySet<string>;
  /** Those in a text without escapes and line breaks, of the one alphabet of base64. */
  readonly base64: readonly Base64Needle[];
}

/** The part of a secret's base64 that is the same whatever stands around the secret. */
export interface Base64Needle {
  readonly text: string;
  /** The units before it that hold bits of the secret too, beside those of its neighbour. */
  readonly before: number;
  /** The same units after it. */
  readonly after: number;
}

/**
 * Returns what is looked for to find secrets: each one and each of its lines, without the blanks
 * around them. `isWorthIt` says which of those can be taken out of any text.
 */
export function needlesOf(
  secrets: Iterable<string>,
  isWorthIt: (piece: string) => boolean,
): Needles {
  const pieces = new Set([...secrets].flatMap(piecesOf).filter(isWorthIt));
  const decoded = [...pieces].map((piece) => withoutPluses(unescaped(new MappedText(piece)).text));
  return {
    plain: pieces,
    unescaped: new Set(decoded.filter(isWorthIt)),
    base64: [...pieces].flatMap(base64Needles),
  };
}

/** Returns a secret and its lines; escapes in it may stand for line breaks. */
function piecesOf(secret: string): string[] {
  const decoded = unescaped(new MappedText(secret)).text;
  const lines = [secret, decoded].flatMap((text) => text.split(/[\r\n]+/))
    // A rule or a bracket is on a line of many texts.
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  return [secret, ...lines].map((text) => text.trim());
}

function base64Needles(piece: string): Base64Needle[] {
  const bytes = new TextEncoder().encode(piece);
  return [0, 1, 2].flatMap((offset) => {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    // A unit has 6 bits; those that bytes before or after the secret have a part in are left out.
    const before = Math.ceil(offset * 8 / 6);
    const end = Math.floor(shifted.length * 8 / 6);
    const text = oneAlphabet(shifted.toBase64().slice(before, end));
    const after = shifted.length % 3 === 0 ? 0 : 1;
    return text.length < MIN_BASE64_CHARS ? [] : [{ text, before: Math.min(before, 1), after }];
  });
}
