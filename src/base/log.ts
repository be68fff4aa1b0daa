/**
 * The only place that writes to the program's own stdout and stderr. A stream that fails (a full
 * disk, a terminal or reader that is gone) is given up: no command ends otherwise for it, and what
 * is still meant for that stream is dropped.
 */
import { messageOf } from "./errors.ts";
import { printableLines } from "./one_line.ts";

type Output = "stdout" | "stderr";

/** `closed`: nobody reads there any more; `failed`: for any other reason. */
type Loss = "closed" | "failed";

const losses = new Map<Output, Loss>();

/** Whoever read our stdout went away (`karotte … | head -1`): the command ends, silently. */
export class OutputClosedError extends Error {
  override readonly name = "OutputClosedError";
}

/**
 * Writes a result that the user asked for to stdout, plain. Throws an `OutputClosedError` when
 * nobody reads there any more, for commands whose only work is to print.
 */
export function printLine(text: string): void {
  if (write("stdout", text) === "closed") throw new OutputClosedError("stdout is closed");
}

/**
 * Writes to stdout what a command did; throws nothing, since the work counts and not its report.
 */
export function reportLine(text: string): void {
  write("stdout", text);
}

/**
 * Writes progress or a remark to stderr; throws nothing. Foreign text may be in it anywhere, so no
 * terminal finds anything in it to act on.
 */
export function logLine(text: string): void {
  write("stderr", printableLines(text));
}

/** Tells the user on stderr something to know although the command goes on; throws nothing. */
export function warn(text: string): void {
  logLine(`warning: ${text}`);
}

/**
 * Makes the console of plugins, environments and packages as quiet about a stream that fails as the
 * functions here are: Deno's own throws then, in the midst of whatever wanted to say something.
 */
export function forgiveConsole(): void {
  for (const [name, method] of Object.entries(console)) {
    if (typeof method !== "function") continue;
    Reflect.set(console, name, (...values: unknown[]) => {
      try {
        return Reflect.apply(method, console, values);
      } catch (error) {
        if (isSystemFault(error)) return undefined;
        // Of what is shown: a getter that throws.
        throw error;
      }
    });
  }
}

/** Deno's console throws plain errors: `No space left on device (os error 28)`. */
function isSystemFault(error: unknown): boolean {
  return error instanceof Error && /\(os error \d+\)$/.test(error.message);
}

/** Writes a line, to its last byte. Returns what the stream was lost by, now or earlier. */
function write(output: Output, text: string): Loss | undefined {
  const known = losses.get(output);
  if (known !== undefined) return known;
  // Not console.log, which goes on without a word when the pipe is broken.
  let bytes = new TextEncoder().encode(`${text}\n`);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(writeSome(output, bytes));
    return undefined;
  } catch (error) {
    const loss = error instanceof Deno.errors.BrokenPipe ? "closed" : "failed";
    losses.set(output, loss);
    if (output === "stdout" && loss === "failed") {
      warn(`stdout can't be written any more, what it lacks is lost: ${messageOf(error)}`);
    }
    return loss;
  }
}

function writeSome(output: Output, bytes: Uint8Array): number {
  try {
    return Deno[output].writeSync(bytes);
  } catch (error) {
    // A terminal or pipe that another program made non-blocking, and that is full for the moment.
    if (!(error instanceof Deno.errors.WouldBlock)) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    return 0;
  }
}
