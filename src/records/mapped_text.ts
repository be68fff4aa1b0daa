/** A piece of a text that stands where another piece stood in the original. */
interface Segment {
  /** The first unit of the piece in this text. */
  readonly start: number;
  /** The units that it stands for in the original, from here on. */
  readonly from: number;
  readonly to: number;
  /** True: each unit stands for one of the original; else all stand for all. */
  readonly isCopy: boolean;
}

/** The units from one index up to, but not including, another. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A text that was made of another one, with the places there that its units stand for. */
export class MappedText {
  readonly text: string;
  /** Undefined: it is the original, unit for unit. */
  readonly #segments: readonly Segment[] | undefined;
  readonly #original: MappedText | undefined;

  constructor(text: string, origin?: { original: MappedText; segments: readonly Segment[] }) {
    this.text = text;
    this.#segments = origin?.segments;
    this.#original = origin?.original;
  }

  /** Returns the text with each match replaced; itself if there is none. */
  replaced(pattern: RegExp, replacement: (match: string) => string): MappedText {
    const parts: string[] = [];
    const segments: Segment[] = [];
    let length = 0;
    let from = 0;
    const add = (part: string, to: number, isCopy: boolean) => {
      if (part !== "") segments.push({ start: length, from, to, isCopy });
      parts.push(part);
      length += part.length;
      from = to;
    };
    for (const { 0: match, index } of this.text.matchAll(pattern)) {
      add(this.text.slice(from, index), index, true);
      add(replacement(match), index + match.length, false);
    }
    if (segments.length === 0 && from === 0) return this;
    add(this.text.slice(from), this.text.length, true);
    return new MappedText(parts.join(""), { original: this, segments });
  }

  /** Returns what a range, which is not empty, stands for in the first of all originals. */
  inOriginal({ start, end }: Range): Range {
    if (this.#segments === undefined || this.#original === undefined) return { start, end };
    const [first, last] = [segmentAt(this.#segments, start), segmentAt(this.#segments, end - 1)];
    return this.#original.inOriginal({
      start: first.isCopy ? first.from + start - first.start : first.from,
      end: last.isCopy ? last.from + end - last.start : last.to,
    });
  }
}

/** Finds the segment of a unit: the last one that does not start after it. */
function segmentAt(segments: readonly Segment[], unit: number): Segment {
  let [low, high] = [0, segments.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (segments[middle]!.start <= unit) low = middle;
    else high = middle - 1;
  }
  return segments[low]!;
}
