import { prettifyError } from "zod";
import { messageOf } from "../base/errors.ts";
import { bytesOf, type ReadBytes, splitLines } from "../base/ndjson.ts";
import { oneLine } from "../base/one_line.ts";
import { eventSchema, type TranscriptEvent } from "../schemas/transcript.ts";
import { readTranscriptParts } from "./transcript_parts.ts";

/** An entry of a record of a run. */
export type RecordedEvent =
  | { readonly kind: "event"; readonly event: TranscriptEvent }
  /** An entry that is no event of ours; `value` is its JSON, if it is JSON. */
  | { readonly kind: "unreadable"; readonly reason: string; readonly value?: unknown }
  /** The end of what can be read: a run that goes on or was killed, or a file that is damaged. */
  | { readonly kind: "cut_off"; readonly reason: string }
  /** The id that a transcript has besides its events. */
  | { readonly kind: "run_id"; readonly runId: string };

/** A file that is open, or why it is not. */
export type OpenedFile =
  | { readonly file: Deno.FsFile; readonly reason?: undefined }
  | { readonly file?: undefined; readonly reason: string };

/** Size of the largest event that is read, in bytes; a sandbox may send up to 256 MiB. */
export const MOST_EVENT_BYTES = 64 * 1024 * 1024;

/** Opens a regular file for reading; a link is none. */
export async function openRecord(path: string): Promise<OpenedFile> {
  let file: Deno.FsFile | undefined;
  try {
    const named = await Deno.lstat(path);
    // Opening a FIFO would wait for ever.
    if (!named.isFile) return { reason: named.isSymlink ? "a link" : "not a regular file" };
    file = await Deno.open(path, { read: true });
    const opened = await file.stat();
    if (opened.ino === named.ino && opened.dev === named.dev) return { file };
    file.close();
    return { reason: "another file took its place" };
  } catch (error) {
    file?.close();
    const isMissing = error instanceof Deno.errors.NotFound;
    return { reason: isMissing ? "no such file" : oneLine(messageOf(error)) };
  }
}

/** Yields what an open transcript holds. */
export async function* readTranscript(
  file: Deno.FsFile,
  maxBytes: number,
): AsyncGenerator<RecordedEvent> {
  const source = new Source(file);
  for await (const part of readTranscriptParts(source.read, { maxBytes })) {
    if (part.kind === "event") yield eventOf(part.bytes);
    else if (part.kind === "oversized") yield oversized(maxBytes);
    else if (part.kind === "run_id") yield* runIdOf(part.bytes);
    else yield { kind: "cut_off", reason: source.failure ?? part.reason };
  }
}

/** Yields what an open file of events holds. */
export async function* readEventLines(
  file: Deno.FsFile,
  maxBytes: number,
): AsyncGenerator<RecordedEvent> {
  const source = new Source(file);
  for await (const part of splitLines(source.read, { maxBytes })) {
    if (part.kind === "oversized") yield oversized(maxBytes);
    else if (part.kind === "line") yield eventOf(part.bytes);
    else {
      // A part of an object's JSON is none: what can be read is whole.
      const last = eventOf(part.bytes);
      if (last.kind === "event") yield last;
      else if (source.failure === undefined) {
        yield { kind: "cut_off", reason: "the last line was cut off" };
      }
    }
  }
  if (source.failure !== undefined) yield { kind: "cut_off", reason: source.failure };
}

/** Reads a file to its end, or to where it can't be read. */
class Source {
  readonly read: ReadBytes;
  failure: string | undefined;

  constructor(file: Deno.FsFile) {
    const read = bytesOf(file);
    this.read = async () => {
      try {
        return await read();
      } catch (error) {
        this.failure = oneLine(messageOf(error));
        return null;
      }
    };
  }
}

function eventOf(bytes: Uint8Array): RecordedEvent {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { kind: "unreadable", reason: "it is not UTF-8 text" };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "unreadable", reason: oneLine(messageOf(error)) };
  }
  const { data, error } = eventSchema.safeParse(value);
  if (data !== undefined) return { kind: "event", event: data };
  return { kind: "unreadable", reason: oneLine(prettifyError(error)), value };
}

function oversized(maxBytes: number): RecordedEvent {
  return { kind: "unreadable", reason: `an event above ${maxBytes} bytes` };
}

function* runIdOf(bytes: Uint8Array): Generator<RecordedEvent> {
  let runId: unknown;
  try {
    runId = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // Told below like any other thing that is no id.
  }
  yield typeof runId === "string"
    ? { kind: "run_id", runId }
    : { kind: "unreadable", reason: "the run's id is no text" };
}
