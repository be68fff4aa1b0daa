import { KarotteError, messageOf } from "../../base/errors.ts";

/** It may go better next time: no connection, no answer in time, a server that failed (5xx). */
export class PassingFailure extends Error {
  override readonly name = "PassingFailure";
}

/** The backend answered, and would answer the same way again. */
export class BackendRefusal extends KarotteError {
  override readonly name = "BackendRefusal";
  /** HTTP status; 2xx if only the content was wrong. */
  readonly status: number;

  constructor(message: string, options: { status: number; hint?: string }) {
    super("run", message, options.hint === undefined ? {} : { hint: options.hint });
    this.status = options.status;
  }
}

const SHOWN_CHARS = 300;

/**
 * What `fetch` failed with, as one short line. Its own texts name the whole URL, and presigned ones
 * are secrets.
 */
export function connectionFault(error: unknown): string {
  let deepest = error;
  for (let depth = 0; deepest instanceof Error && deepest.cause && depth < 5; depth++) {
    deepest = deepest.cause;
  }
  const text = messageOf(deepest).replace(/^error sending request .*?\): /, "");
  return shown(text.replaceAll(/\bhttps?:\/\/[^\s)]+/g, (url) => URL.parse(url)?.origin ?? "URL"));
}

/** Text of another server in a message: short, and one line. */
export function shown(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}...` : line;
}
