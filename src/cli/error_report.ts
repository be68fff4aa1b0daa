import { type ErrorCode, KarotteError, messageOf } from "../base/errors.ts";
import { logLine, OutputClosedError } from "../base/log.ts";

const EXIT_STATUS: Readonly<Record<ErrorCode, number>> = {
  run: 1,
  usage: 2,
  runtime: 3,
  plugin: 4,
  interrupted: 130,
};

/** The status that a shell reports for a program that SIGPIPE ended: 128 + 13. */
const BROKEN_PIPE_STATUS = 141;

/**
 * Tells the user on stderr what went wrong, and returns the exit status. A stack trace is printed
 * only with `KAROTTE_DEBUG=1`.
 */
export function reportError(error: unknown): number {
  if (error instanceof OutputClosedError) return BROKEN_PIPE_STATUS;
  for (const line of describeError(error)) logLine(line);
  return error instanceof KarotteError ? EXIT_STATUS[error.code] : 1;
}

function describeError(error: unknown): string[] {
  const trace = Deno.env.get("KAROTTE_DEBUG") === "1" ? [Deno.inspect(error)] : [];
  if (error instanceof KarotteError) {
    const hint = error.hint === undefined ? [] : [`hint: ${error.hint}`];
    return [`error: ${error.message}`, ...hint, ...trace];
  }
  const hint = trace.length > 0 ? [] : ["hint: KAROTTE_DEBUG=1 shows where it happened"];
  return [`internal error: ${messageOf(error)}`, ...hint, ...trace];
}
