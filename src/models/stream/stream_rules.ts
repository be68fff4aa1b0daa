import type { JsonObject } from "./members.ts";

/** The way in which the stream of one API is read before its package sees it. */
export interface StreamRules {
  /** The API, for the reader of an error. */
  readonly api: string;
  /** Makes the reader of one answer. */
  readonly open: () => EventReader;
}

/** A reader of the events of one answer, in their order. */
export interface EventReader {
  /** Returns undefined for an event that the API is not known to have, or that is of no use. */
  read(event: JsonObject): Reading | undefined;
  /** The events that a stream lacks if it breaks off after the end of its turn; absent: none. */
  readonly closing?: readonly JsonObject[];
}

/** An event that was understood. */
export interface Reading {
  /** The event as its package is shown it: with the members that are known, and no others. */
  readonly event: JsonObject;
  /**
   * The part that is over with it: the turn, after which only its tokens may be told, or the whole
   * stream. Absent: neither.
   */
  readonly ends?: "turn" | "stream" | undefined;
}
