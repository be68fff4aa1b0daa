/**
 * An answer of a form that its API has not: no stream, no JSON, or a member of another type. The
 * message says what is wrong.
 */
export class MalformedAnswerError extends Error {
  override readonly name = "MalformedAnswerError";
}

/** The provider reports an error in an answer that began, or was sent, as if all were well. */
export class ReportedError extends Error {
  override readonly name = "ReportedError";
  /** The event or the body: a value of JSON, or a text. */
  readonly reported: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(reported: unknown, headers: Headers) {
    super("the provider reports an error");
    this.reported = reported;
    this.headers = Object.fromEntries(headers);
  }
}
