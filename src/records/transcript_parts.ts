import type { ReadBytes } from "../base/ndjson.ts";
import { isBlank, ValueBytes } from "./value_bytes.ts";

/** A part of a transcript's file, in the order of the file. */
export type TranscriptPart =
  /** The JSON of the run's id. */
  | { readonly kind: "run_id"; readonly bytes: Uint8Array }
  /** The JSON of an event, as far as brackets and quotes tell. */
  | { readonly kind: "event"; readonly bytes: Uint8Array }
  /** An event above the limit, which is passed over. */
  | { readonly kind: "oversized" }
  /** The end of what can be read of a file that is no whole transcript. */
  | { readonly kind: "broken"; readonly reason: string };

export interface TranscriptPartsOptions {
  /** Bytes of the largest event that is kept in memory. */
  readonly maxBytes: number;
}

/**
 * Yields the parts of a transcript, `{ "run_id": ..., "events": [...] }`, of any size and however
 * its JSON is laid out; other members are passed over. Never holds more than one event.
 */
export async function* readTranscriptParts(
  read: ReadBytes,
  { maxBytes }: TranscriptPartsOptions,
): AsyncGenerator<TranscriptPart> {
  const scanner = new TranscriptScanner(maxBytes);
  for (let chunk = await read(); chunk !== null; chunk = await read()) {
    for (const part of scanner.scan(chunk)) {
      yield part;
      if (part.kind === "broken") return;
    }
  }
  const reason = scanner.end();
  if (reason !== undefined) yield { kind: "broken", reason };
}

const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const QUOTE = 0x22;

/** Size of the longest name of a member, and of the longest id, that is looked at, in bytes. */
const MOST_NAME_BYTES = 4096;

/** The thing that may come next, besides blanks. */
type Expected =
  | "object"
  | "name or end"
  | "name"
  | "colon"
  | "member"
  | "comma or end"
  | "event or end"
  | "event"
  | "comma or end of events"
  | "nothing";

type ValueRole = "name" | "member" | "event";

/** Finds the parts of a transcript in chunks of its bytes. */
class TranscriptScanner {
  readonly #maxBytes: number;
  #expected: Expected = "object";
  #position = 0;
  #name: unknown;
  #hasEvents = false;
  /** The value under way. */
  #value: { readonly role: ValueRole; readonly bytes: ValueBytes } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *scan(chunk: Uint8Array): Generator<TranscriptPart> {
    for (let index = 0; index < chunk.length;) {
      if (this.#value === undefined) {
        const byte = chunk[index]!;
        if (isBlank(byte)) index++;
        else if (this.#begins(byte)) continue; // with the value's first byte
        else if (this.#takes(byte)) index++;
        else {
          const place = `byte ${this.#position + index + 1}`;
          return yield { kind: "broken", reason: `not a transcript: ${this.#fault()} at ${place}` };
        }
        continue;
      }
      const { role, bytes } = this.#value;
      const end = bytes.take(chunk, index);
      if (end === undefined) break;
      index = end;
      this.#value = undefined;
      yield* this.#ended(role, bytes.whole());
    }
    this.#position += chunk.length;
  }

  /** Returns why the bytes so far are no whole transcript; undefined if they are. */
  end(): string | undefined {
    if (this.#expected === "object") return "not a transcript: the file is empty";
    if (this.#expected !== "nothing") return "the file was cut off";
    return this.#hasEvents ? undefined : 'not a transcript: it has no "events"';
  }

  /** Returns true if a value begins with the byte, and makes it the one under way. */
  #begins(byte: number): boolean {
    const role = this.#roleOf(byte);
    if (role === undefined) return false;
    const isName = role === "name";
    const isKept = role === "event" || isName || this.#name === "run_id";
    const mostBytes = role === "event" ? this.#maxBytes : MOST_NAME_BYTES;
    this.#value = { role, bytes: new ValueBytes(isKept ? mostBytes : 0) };
    return true;
  }

  #roleOf(byte: number): ValueRole | undefined {
    const isValue = ![COMMA, COLON, CLOSE_LIST, CLOSE_OBJECT].includes(byte);
    switch (this.#expected) {
      case "name or end":
      case "name":
        return byte === QUOTE ? "name" : undefined;
      case "member":
        return isValue && this.#name !== "events" ? "member" : undefined;
      case "event or end":
      case "event":
        return isValue ? "event" : undefined;
      default:
        return undefined;
    }
  }

  /** Returns true if the byte may stand here, and says what may follow it. */
  #takes(byte: number): boolean {
    const next = this.#nextAfter(byte);
    if (next === undefined) return false;
    if (next === "event or end") this.#hasEvents = true;
    this.#expected = next;
    return true;
  }

  #nextAfter(byte: number): Expected | undefined {
    switch (this.#expected) {
      case "object":
        return byte === OPEN_OBJECT ? "name or end" : undefined;
      case "colon":
        return byte === COLON ? "member" : undefined;
      case "member": // of the name "events"
        return byte === OPEN_LIST && this.#name === "events" ? "event or end" : undefined;
      case "name or end":
        return byte === CLOSE_OBJECT ? "nothing" : undefined;
      case "comma or end":
        return byte === COMMA ? "name" : byte === CLOSE_OBJECT ? "nothing" : undefined;
      case "event or end":
        return byte === CLOSE_LIST ? "comma or end" : undefined;
      case "comma or end of events":
        return byte === COMMA ? "event" : byte === CLOSE_LIST ? "comma or end" : undefined;
      default:
        return undefined;
    }
  }

  /** Takes a value's bytes; undefined if they are more than are kept. */
  *#ended(role: ValueRole, bytes: Uint8Array | undefined): Generator<TranscriptPart> {
    if (role === "name") {
      this.#name = bytes === undefined ? undefined : jsonOf(bytes);
      this.#expected = "colon";
    } else if (role === "member") {
      this.#expected = "comma or end";
      if (bytes !== undefined && this.#name === "run_id") yield { kind: "run_id", bytes };
    } else {
      this.#expected = "comma or end of events";
      yield bytes === undefined ? { kind: "oversized" } : { kind: "event", bytes };
    }
  }

  #fault(): string {
    if (this.#expected === "object") return "no JSON object";
    if (this.#expected === "member" && this.#name === "events") return '"events" is no list';
    return this.#expected === "nothing" ? "more than one JSON object" : "no JSON";
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // A name with a bad escape is none that is looked for.
    return undefined;
  }
}
