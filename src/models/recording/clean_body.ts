import { mapTexts } from "../../base/map_texts.ts";

const DATA = /^data: ?(?=[{[])/;

/** A text in an event of a stream. */
interface Piece {
  readonly text: string;
  replace(text: string): void;
}

/**
 * The body of an answer with `clean` applied to the texts in it, and otherwise as it was. In a
 * stream of events what `clean` finds may be spread over many of them, for models write a few
 * characters at a time: what stands for it then goes to where it began.
 */
export function cleanBody(body: string, clean: (text: string) => string): string {
  const lines = body.split("\n");
  const changed = new Map<number, unknown>();
  const pieces = new Map<string, Piece[]>();
  for (const [index, line] of lines.entries()) {
    const event = DATA.test(line) ? jsonOf(line.replace(DATA, "")) : undefined;
    if (event !== undefined) collect({ event }, "", pieces, () => changed.set(index, event));
  }
  if (pieces.size === 0) return cleanWhole(body, clean);
  for (const ofOneText of pieces.values()) cleanPieces(ofOneText, clean);
  for (const [index, event] of changed) lines[index] = `data: ${JSON.stringify(event)}`;
  return clean(lines.join("\n"));
}

function cleanWhole(body: string, clean: (text: string) => string): string {
  const value = jsonOf(body);
  if (value === undefined) return clean(body);
  const cleaned = JSON.stringify(mapTexts(value, clean));
  return cleaned === JSON.stringify(value) ? body : cleaned;
}

/** Undefined for what is no JSON: no body has to be. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Finds the texts in a value; those at one place in one block of the answer belong together. */
function collect(
  parent: object,
  place: string,
  pieces: Map<string, Piece[]>,
  onChange: () => void,
): void {
  const entries = Object.entries(parent);
  // The blocks of an answer are numbered: `index`, `content_index`.
  const numbers = entries.filter(([name, value]) => /index$/.test(name) && Number.isInteger(value));
  const here = `${place}${numbers.join()}`;
  for (const [name, value] of entries) {
    const there = `${here}.${name}`;
    if (typeof value === "object" && value !== null) collect(value, there, pieces, onChange);
    if (typeof value !== "string") continue;
    const replace = (text: string) => {
      Object.assign(parent, { [name]: text });
      onChange();
    };
    const together = pieces.get(there) ?? [];
    together.push({ text: value, replace });
    pieces.set(there, together);
  }
}

/** Changes no piece but those from the first character that `clean` changes to the last. */
function cleanPieces(pieces: readonly Piece[], clean: (text: string) => string): void {
  const joined = pieces.map(({ text }) => text).join("");
  const cleaned = clean(joined);
  if (cleaned === joined) return;
  const shorter = Math.min(joined.length, cleaned.length);
  let start = 0;
  while (start < shorter && joined[start] === cleaned[start]) start++;
  let after = 0;
  while (after < shorter - start && joined.at(-1 - after) === cleaned.at(-1 - after)) after++;
  const end = joined.length - after;
  let instead = cleaned.slice(start, cleaned.length - after);
  let offset = 0;
  for (const { text, replace } of pieces) {
    const within = (place: number) => Math.min(Math.max(place - offset, 0), text.length);
    const [from, to] = [within(start), within(end)];
    offset += text.length;
    if (from === to) continue;
    replace(text.slice(0, from) + instead + text.slice(to));
    instead = "";
  }
}
