import { causesOf, KarotteError, messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/one_line.ts";

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
 * What `fetch` failed with, as one short line. Its own texts name the whole URL, and the query of
 * presigned ones is a secret.
 */
export function connectionFault(error: unknown): string {
  const deepest = causesOf(error).at(-1) ?? error;
  return shown(messageOf(deepest).replace(/^error sending request .*?\): /, ""));
}

/** Text of another server in a message: short, and one line. */
export function shown(text: string): string {
  return oneLine(text, SHOWN_CHARS);
}
