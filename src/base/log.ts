/** The only place that writes to the program's own stdout and stderr. */

/** Whoever read our stdout went away (`karotte … | head -1`): the command ends, silently. */
export class OutputClosedError extends Error {
  override readonly name = "OutputClosedError";
}

/**
 * A result the user asked for: goes to stdout, plain. Throws an `OutputClosedError` when nobody
 * reads there any more.
 */
export function printLine(text: string): void {
  // Not console.log, which goes on without a word when the pipe is broken.
  let bytes = new TextEncoder().encode(`${text}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(writeSome(bytes));
}

/** Progress and remarks: goes to stderr. */
export function logLine(text: string): void {
  console.error(text);
}

/** Something the user should know although the command goes on: goes to stderr. */
export function warn(text: string): void {
  console.error(`warning: ${text}`);
}

function writeSome(bytes: Uint8Array): number {
  try {
    return Deno.stdout.writeSync(bytes);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) throw new OutputClosedError("stdout is closed");
    // A terminal or pipe that another program made non-blocking, and that is full for the moment.
    if (!(error instanceof Deno.errors.WouldBlock)) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    return 0;
  }
}
