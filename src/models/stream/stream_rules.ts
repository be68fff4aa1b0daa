import type { JsonObject } from "./members.ts";

/** How the stream of one API is read before its package sees it. */
export interface StreamRules {
  /** The API, for the reader of an error. */
  readonly api: string;
  /** Makes the reader of one answer. */
  readonly open: () => EventReader;
}

/** Reads the events of one answer in their order. */
export interface EventReader {
  /** Undefined: the event is none that the API is known to have, or of no use. */
  read(event: JsonObject): Reading | undefined;
  /** What makes a turn whole whose stream broke off after its end was told; absent: nothing. */
  readonly closing?: readonly JsonObject[];
}

/** An event that was understood. */
export interface Reading {
  /** What its package is shown: the members that are known, and no others. */
  readonly event: JsonObject;
  /**
   * What is over with it: the turn, after which only its tokens may be told, or the whole stream.
   * Absent: nothing.
   */
  readonly ends?: "turn" | "stream" | undefined;
}
