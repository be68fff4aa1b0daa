import type { NewEvent, TranscriptEvent } from "../schemas/transcript.ts";
import { Transcript } from "../sdk/transcript.ts";

/** Gives events their time, keeps them for judges and passes them on. */
export class EventLog {
  readonly #events: TranscriptEvent[] = [];
  readonly #record: (event: TranscriptEvent) => Promise<void>;
  readonly transcript: Transcript;

  constructor(runId: string, record: (event: TranscriptEvent) => Promise<void>) {
    this.#record = record;
    this.transcript = new Transcript(runId, this.#events);
  }

  async emit(event: NewEvent): Promise<void> {
    const timed = { timestamp: new Date().toISOString(), ...event };
    this.#events.push(timed);
    await this.#record(timed);
  }
}
