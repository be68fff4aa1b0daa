/** What kind of failure this is; `main.ts` turns it into the exit status. */
export type ErrorCode =
  /** A run ended with an error. Exit status 1. */
  | "run"
  /** The command line, a config or an environment is wrong. Exit status 2. */
  | "usage"
  /** A runtime is missing or does not work here. Exit status 3. */
  | "runtime"
  /** A plugin was refused, or failed where that is fatal. Exit status 4. */
  | "plugin"
  /** The user interrupted the command. Exit status 130. */
  | "interrupted";

export interface KarotteErrorOptions {
  /** What the user can do about it: one sentence. */
  hint?: string;
  cause?: unknown;
}

/**
 * An error that is meant for the user: its message reads `action "value": state found`, and is
 * printed without a stack trace.
 */
export class KarotteError extends Error {
  override readonly name: string = "KarotteError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: KarotteErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** The message of whatever was thrown; never empty, and nothing that was thrown makes it throw. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message || error.name || "unknown error");
    return String(error) || "unknown error";
  } catch {
    return "an error that can't be shown";
  }
}

/** The message, and what to do about it if that is known: `Cannot do it (try that)`. */
export function messageWithHint(error: unknown): string {
  const hint = error instanceof KarotteError && error.hint ? ` (${error.hint})` : "";
  return messageOf(error) + hint;
}

/** What `body` failed with; undefined if it did not. */
export async function faultOf(body: () => Promise<unknown>): Promise<unknown> {
  try {
    await body();
    return undefined;
  } catch (error) {
    return error ?? new Error("unknown error");
  }
}

const MOST_CAUSES = 8;

/** The error and what caused it, the outermost first; at most eight. */
export function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < MOST_CAUSES; each = each.cause) {
    chain.push(each);
  }
  return chain;
}
