import { z } from "zod";
import { mapTexts } from "../base/map_texts.ts";
import { eventSchema } from "../schemas/transcript.ts";
import { MappedText, type Range } from "./mapped_text.ts";
import { type Needles, needlesOf } from "./secret_needles.ts";
import { oneAlphabet, unbroken, unescaped, withoutPluses } from "./spellings.ts";

/** Characters of the shortest secret that is taken out: shorter ones would be found everywhere. */
const MIN_SECRET_CHARS = 6;

/** The warning about a secret that is not `isRedactable`. */
export const NOT_REDACTABLE = `is shorter than ${MIN_SECRET_CHARS} characters or a word of every ` +
  "transcript: it can't be taken out of what is recorded and shown";

/** Returns true if a value can be taken out of events without taking them apart. */
export function isRedactable(secret: string): boolean {
  const text = secret.trim();
  if (text.length < MIN_SECRET_CHARS) return false;
  return !/^[a-z_]+$/i.test(text) || !wordsOfEvents().includes(text);
}

let words: string | undefined;

/** A text that has all names and constants of events in it. */
function wordsOfEvents(): string {
  return words ??= JSON.stringify(z.toJSONSchema(eventSchema, { unrepresentable: "any" }));
}

const REPLACEMENT = "[redacted]";

/**
 * Takes secrets out of whatever is recorded or shown: each one and each of its lines, in the
 * spellings that programs write: JSON escapes of any depth,
 * percent-encoding, base64 whatever stands around the secret there. What is not `isRedactable` is
 * left. Each text is taken by itself: a secret that is spread over several events is not found.
 */
export class Redactor {
  #secrets: ReadonlySet<string> = new Set();
  #needles: Needles = needlesOf([], isRedactable);

  constructor(secrets: Iterable<string>) {
    this.add(secrets);
  }

  /** Takes these out too, from now on. */
  add(secrets: Iterable<string>): void {
    const all = new Set([...this.#secrets, ...secrets]);
    if (all.size === this.#secrets.size) return;
    this.#secrets = all;
    this.#needles = needlesOf(all, isRedactable);
  }

  /** Returns the text with `[redacted]` in the place of secrets, in time linear in its length. */
  text(text: string): string {
    if (this.#needles.plain.size === 0) return text;
    const ranges = merged(rangesIn(text, this.#needles));
    if (ranges.length === 0) return text;
    const parts: string[] = [];
    let kept = 0;
    for (const { start, end } of ranges) {
      parts.push(text.slice(kept, start), REPLACEMENT);
      kept = end;
    }
    return parts.join("") + text.slice(kept);
  }

  /** Returns a value of JSON with the secrets taken out of every text in it, keys included. */
  json<Value>(value: Value): Value {
    return mapTexts(value, (text) => this.text(text));
  }
}

function rangesIn(text: string, needles: Needles): Range[] {
  const plain = new MappedText(text);
  const decoded = unescaped(plain);
  const base64 = unbroken(decoded);
  const spaced = withoutPluses(decoded.text);
  const joined = oneAlphabet(base64.text);
  return [
    ...[...needles.plain].flatMap((needle) => found(text, needle)),
    ...[...needles.unescaped].flatMap((needle) => found(spaced, needle))
      .map((range) => decoded.inOriginal(range)),
    ...needles.base64.flatMap((needle) =>
      found(joined, needle.text).map(({ start, end }) =>
        base64.inOriginal({
          start: Math.max(start - needle.before, 0),
          end: Math.min(end + needle.after, joined.length),
        })
      )
    ),
  ];
}

function found(text: string, needle: string): Range[] {
  const ranges: Range[] = [];
  for (let start = text.indexOf(needle); start >= 0;) {
    const end = start + needle.length;
    ranges.push({ start, end });
    start = text.indexOf(needle, end);
  }
  return ranges;
}

/** Returns ranges in their order, those that overlap as one. */
function merged(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1);
    if (last === undefined || start >= last.end) all.push({ start, end });
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return all;
}
