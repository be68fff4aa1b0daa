import type { Collected } from "./marked_output.ts";

/** Enough bytes to be sure of `characters` UTF-16 units, whatever they are, and of one more. */
export function headBytesFor(characters: number): number {
  return 4 * characters + 4;
}

/**
 * What a program wrote, as text: invalid UTF-8 becomes replacement characters, NUL and escape
 * sequences stay. At most `maxLength` UTF-16 units, then three dots; no pair is split.
 */
export function limitedText(
  output: Collected,
  maxLength: number,
): { text: string; isCut: boolean } {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(output.head);
  if (text.length <= maxLength && output.total <= output.head.length) return { text, isCut: false };
  return { text: `${cutText(text, maxLength)}...`, isCut: true };
}

/** The first `length` UTF-16 units, or one less where that would split a pair. */
export function cutText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff && length < text.length;
  return text.slice(0, splitsPair ? length - 1 : length);
}

/** The longest head of `text` that takes at most `maxBytes` inside a JSON string, as UTF-8. */
export function cutToJsonBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += jsonBytes(character.codePointAt(0)!);
    if (bytes > maxBytes) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function jsonBytes(codePoint: number): number {
  if (codePoint === 0x22 || codePoint === 0x5c) return 2;
  if (codePoint < 0x20) return "\b\t\n\f\r".includes(String.fromCharCode(codePoint)) ? 2 : 6;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 6;
  return codePoint < 0x10000 ? 3 : 4;
}
