/** Half of a surrogate pair as its escape (`\ud83d`): no provider takes it as it is. */
export function withoutLoneSurrogates(text: string): string {
  return text.replace(
    /\p{Surrogate}/gu,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
}

/** The text, or its start and its end in `maxBytes` of UTF-8 with a note of what is left out. */
export function withinBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  const half = Math.floor(maxBytes / 2);
  let end = half;
  while (isInsideCharacter(bytes[end])) end -= 1;
  let start = bytes.length - half;
  while (isInsideCharacter(bytes[start])) start += 1;
  const decoder = new TextDecoder();
  const head = decoder.decode(bytes.subarray(0, end));
  return `${head}\n[${start - end} bytes are left out here]\n${
    decoder.decode(bytes.subarray(start))
  }`;
}

/** Any byte but the first of a character. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
