import { z } from "zod";

/** The kinds of failure that a model call can end with: they decide whether it is tried again. */
export const failureKindSchema = z.enum([
  /** The provider asks for fewer calls, or has no capacity: 429, 529. */
  "rate_limit",
  /**
   * The provider failed: 5xx, an error inside a stream, a stream that broke off or said nothing.
   */
  "provider",
  /**
   * The answer is of a form that the API has not: a second attempt may bring one of the right form,
   * more can't.
   */
  "malformed",
  /** No answer came in time. */
  "timeout",
  /** The connection broke, or could not be made for a passing reason. */
  "connection",
  /** Host not found or connection refused: a wrong URL, or a server that is not up. */
  "unreachable",
  /** 401, 403: the key is missing, wrong or without rights. */
  "authentication",
  /** The conversation is longer than the model's context. */
  "context_length",
  /** The time of the step would be over before a call that may pass could be tried again. */
  "time_over",
  /** Anything that would fail the same way again. */
  "request",
]);

/** One of the kinds of failure that a model call can end with. */
export type FailureKind = z.infer<typeof failureKindSchema>;

/** A failed model call. The message says which model, what happened and the provider's words. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly kind: FailureKind;
  /** HTTP status; undefined if there was no answer. */
  readonly status: number | undefined;
  /** How long the provider asks to wait; undefined if it doesn't say. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: {
      kind: FailureKind;
      status?: number | undefined;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.kind = options.kind;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}
