import { wellFormed } from "../base/well_formed.ts";
import type { NewEvent, TranscriptEvent } from "../schemas/transcript.ts";
import { Transcript } from "../sdk/transcript.ts";

/**
 * Gives events their time, keeps them for judges and passes them on. Half a surrogate pair becomes
 * U+FFFD: what judges and models see of a run is what is recorded.
 */
export class EventLog {
  readonly #events: TranscriptEvent[] = [];
  readonly #record: (event: TranscriptEvent) => Promise<void>;
  readonly transcript: Transcript;

  constructor(runId: string, record: (event: TranscriptEvent) => Promise<void>) {
    this.#record = record;
    this.transcript = new Transcript(runId, this.#events);
  }

  async emit(event: NewEvent): Promise<void> {
    const timed = wellFormed({ timestamp: new Date().toISOString(), ...event });
    this.#events.push(timed);
    await this.#record(timed);
  }
}
