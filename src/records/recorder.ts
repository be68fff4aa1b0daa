import { concat } from "../base/bounded_bytes.ts";
import { KarotteError, messageOf } from "../base/errors.ts";
import { bytesOf, readLines } from "../base/ndjson.ts";
import { removeIfThere } from "../base/temp_dir.ts";
import { writeAll } from "../base/files.ts";
import type { NewEvent, TranscriptEvent } from "../schemas/transcript.ts";
import { giveToInvokingUser } from "./invoking_user.ts";
import { type OutputFiles, placeTranscript } from "./output_files.ts";
import { Redactor } from "./redactor.ts";
import { RunSummary } from "./run_summary.ts";

/** The most that one event may take in the file. */
const MAX_EVENT_BYTES = 512 * 1024 * 1024;

export interface RecorderOptions {
  /** Is called with each event as it comes, without secrets. */
  onEvent?(event: TranscriptEvent): void;
  /** Is called when there is more on disk. */
  onWritten?(): void;
  /** Absent: there are no secrets. */
  readonly redactor?: Redactor;
  /** Gets each event; absent: one of its own. */
  readonly summary?: RunSummary;
}

/** Writes events to disk as they come, without secrets, and the transcript at the end. */
export class Recorder implements Disposable {
  readonly #runId: string;
  readonly #files: OutputFiles;
  readonly summary: RunSummary;
  #waiting: { bytes: Uint8Array; done: PromiseWithResolvers<void> }[] = [];
  #flushing = false;
  /** Length of the file in bytes: whole lines. */
  #written = 0;
  #fault: KarotteError | undefined;

  readonly #onEvent: (event: TranscriptEvent) => void;
  readonly #onWritten: () => void;
  readonly #redactor: Redactor;

  constructor(runId: string, files: OutputFiles, options: RecorderOptions = {}) {
    this.#runId = runId;
    this.#files = files;
    this.#onEvent = options.onEvent ?? (() => {});
    this.#onWritten = options.onWritten ?? (() => {});
    this.#redactor = options.redactor ?? new Redactor([]);
    this.summary = options.summary ?? new RunSummary();
  }

  /**
   * Resolves when the event is on disk; events that come meanwhile share one flush. Throws a
   * `KarotteError` if it can't be written, for example because the disk is full, or if one before
   * it could not: what came after a gap would hide it.
   */
  record(event: TranscriptEvent): Promise<void> {
    return this.#fault === undefined ? this.#append(event) : Promise.reject(this.#fault);
  }

  /** An event of the host's own, as long as there is room: how a run ended, after a failure too. */
  recordNew(event: NewEvent): Promise<void> {
    return this.#append({ timestamp: new Date().toISOString(), ...event });
  }

  /** Writes the transcript from the events file; returns its path, or null if none is wanted. */
  async finish(): Promise<string | null> {
    const wanted = this.#files.transcriptPath;
    if (wanted === null) return null;
    const partial = `${wanted}.${crypto.randomUUID()}.partial`;
    try {
      await this.#writeTranscript(partial);
      await giveToInvokingUser(partial);
      return await placeTranscript(partial, wanted);
    } catch (error) {
      throw this.#writeError(wanted, error);
    } finally {
      await removeIfThere(partial);
    }
  }

  [Symbol.dispose](): void {
    this.#files.events.close();
  }

  #append(received: TranscriptEvent): Promise<void> {
    const event = this.#redactor.json(received);
    this.summary.add(event);
    this.#onEvent(event);
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ bytes: new TextEncoder().encode(`${JSON.stringify(event)}\n`), done });
    if (!this.#flushing) this.#flush();
    return done.promise;
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const bytes = concat(batch.map(({ bytes }) => bytes));
        await writeAll(this.#files.events, bytes);
        await this.#files.events.syncData();
        this.#written += bytes.length;
        for (const { done } of batch) done.resolve();
        this.#onWritten();
      } catch (error) {
        const fault = this.#writeError(this.#files.eventsPath, error);
        await this.#dropHalfLine();
        this.#fault = fault;
        const lost = [...batch, ...this.#waiting];
        this.#waiting = [];
        for (const { done } of lost) done.reject(fault);
      }
    }
    this.#flushing = false;
  }

  /** Makes room for how the run ended, on a line of its own. */
  async #dropHalfLine(): Promise<void> {
    const { events } = this.#files;
    try {
      await events.truncate(this.#written);
      await events.seek(this.#written, Deno.SeekMode.Start);
    } catch {
      // A disk that is broken rather than full: why it could not be written is told already.
    }
  }

  /** Writes event by event: transcripts can be larger than a string may be. */
  async #writeTranscript(path: string): Promise<void> {
    using file = await Deno.open(path, { createNew: true, write: true });
    const encoder = new TextEncoder();
    const decoder = new TextDecoder();
    const head = `{\n  "run_id": ${JSON.stringify(this.#runId)},\n  "events": [`;
    await writeAll(file, encoder.encode(head));
    let separator = "";
    for await (const line of this.#eventLines()) {
      const pretty = JSON.stringify(JSON.parse(decoder.decode(line)), null, 2);
      const indented = pretty.replaceAll("\n", "\n    ");
      await writeAll(file, encoder.encode(`${separator}\n    ${indented}`));
      separator = ",";
    }
    await writeAll(file, encoder.encode("\n  ]\n}\n"));
    await file.sync();
  }

  async *#eventLines(): AsyncGenerator<Uint8Array> {
    const { events } = this.#files;
    await events.seek(0, Deno.SeekMode.Start);
    yield* readLines(bytesOf(events), { maxBytes: MAX_EVENT_BYTES });
  }

  #writeError(path: string, error: unknown): KarotteError {
    return new KarotteError("run", `Cannot write "${path}": ${messageOf(error)}`, {
      hint: `what was recorded before is in "${this.#files.eventsPath}"`,
      cause: error,
    });
  }
}
