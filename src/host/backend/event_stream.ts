import { messageWithHint } from "../../base/errors.ts";
import { isAddedType, type TranscriptEvent } from "../../schemas/transcript.ts";
import { RunSummary } from "../../records/run_summary.ts";
import type { BackendClient } from "./client.ts";
import { EventFile, type EventLine } from "../../records/event_file.ts";
import { BackendRefusal } from "./failure.ts";
import { isNewState, runStateOf } from "./run_state.ts";

export interface BackendStreamOptions {
  readonly client: BackendClient;
  /** The file to which the recorder appends; it is there. */
  readonly eventsPath: string;
  warn(message: string): void;
}

/**
 * Sends a run's events to its backend, in order and in the background. They are read back from the
 * recorder's file, so a backend that is slow or away costs neither memory nor the run's time. A
 * failure ends the stream, not the run: `finish` tells it.
 */
export class BackendStream {
  readonly #client: BackendClient;
  readonly #events: EventFile;
  readonly #eventsPath: string;
  readonly #warn: (message: string) => void;
  readonly #sending: Promise<void>;
  /** Where the event of each slot starts in the file. */
  readonly #slots: number[] = [];
  /** Of what the backend has. */
  readonly #summary = new RunSummary();
  /** Types of Karotte's own events that the backend does not know. */
  readonly #unknownTypes = new Set<TranscriptEvent["type"]>();
  #news = Promise.withResolvers<void>();
  #isEnding = false;
  #fault: string | undefined;

  /** Throws what the file system says if the file can't be read. */
  constructor({ client, eventsPath, warn }: BackendStreamOptions) {
    this.#client = client;
    this.#eventsPath = eventsPath;
    this.#warn = warn;
    this.#events = new EventFile(eventsPath);
    this.#sending = this.#send();
  }

  /** There is more on disk. */
  wake(): void {
    this.#news.resolve();
  }

  /**
   * Resolves when the backend has all that is on disk, or never will: then with what went wrong.
   * Takes as long as the client's tries do; the client's signal cuts it short.
   */
  async finish(): Promise<string | undefined> {
    this.#isEnding = true;
    this.wake();
    await this.#sending;
    return this.#fault;
  }

  async #send(): Promise<void> {
    using _file = this.#events;
    try {
      for (let offset = 0;;) {
        const news = this.#news.promise;
        const isEnding = this.#isEnding; // before the file is read: nothing may come in between
        const line = await this.#events.lineAt(offset);
        if (line !== undefined) {
          await this.#sendLine(offset, line);
          offset = line.end;
        } else if (isEnding) {
          return;
        } else {
          await news;
          this.#news = Promise.withResolvers();
        }
      }
    } catch (error) {
      this.#fault = this.#told(error);
      this.#warn(this.#fault);
    }
  }

  async #sendLine(offset: number, { bytes }: EventLine): Promise<void> {
    // The cast holds: the recorder wrote it.
    const event = JSON.parse(new TextDecoder().decode(bytes)) as TranscriptEvent;
    if (this.#unknownTypes.has(event.type)) return;
    if (this.#slots.length === 0) await this.#open();
    if (!await this.#put(event, { offset, bytes })) return;
    this.#summary.add(event);
    if (isNewState(event)) await this.#client.updateRunState(runStateOf(this.#summary));
  }

  /** A transcript of that id is written over from its first slot. */
  async #open(): Promise<void> {
    if (await this.#client.transcriptLength() === null) await this.#client.createTranscript();
  }

  /** False if the backend knows no such event and can do without. */
  async #put(
    { type }: TranscriptEvent,
    slot: { offset: number; bytes: Uint8Array },
  ): Promise<boolean> {
    try {
      await this.#append(slot);
      return true;
    } catch (error) {
      // A backend of other transcripts may not take what Karotte adds to them.
      if (!isAddedType(type) || !isRefusal(error, [400, 422])) throw error;
      this.#unknownTypes.add(type);
      this.#slots.pop();
      return false;
    }
  }

  async #append({ offset, bytes }: { offset: number; bytes: Uint8Array }): Promise<void> {
    const seq = this.#slots.push(offset) - 1;
    try {
      if (await this.#client.appendTranscript(seq, bytes) > 1) await this.#fillGap();
    } catch (error) {
      if (!isRefusal(error, [404, 409]) || !await this.#fillGap()) throw error;
    }
  }

  /**
   * Looks whether the backend has less than it had, since it was away or no longer knows a slot,
   * and sends that again. False if it has everything.
   */
  async #fillGap(): Promise<boolean> {
    const length = await this.#client.transcriptLength();
    if (length === null) await this.#client.createTranscript();
    if (length !== null && length >= this.#slots.length) return false;
    // It may count the slot that was just filled beyond the gap.
    const first = Math.max(0, (length ?? 0) - 1);
    for (const [seq, offset] of this.#slots.entries()) {
      if (seq < first) continue;
      const line = await this.#events.lineAt(offset);
      if (line === undefined) throw new Error(`event ${seq} is no longer in the file`);
      await this.#client.appendTranscript(seq, line.bytes);
    }
    return true;
  }

  #told(error: unknown): string {
    return `The backend does not have the whole run: ${messageWithHint(error)}; ` +
      `all events are in "${this.#eventsPath}"`;
  }
}

function isRefusal(error: unknown, statuses: readonly number[]): boolean {
  return error instanceof BackendRefusal && statuses.includes(error.status);
}
