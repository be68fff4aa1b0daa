import type { KarotteError } from "../base/errors.ts";
import { logLine } from "../base/log.ts";
import { printable } from "../base/one_line.ts";
import { orAbort } from "../base/promises.ts";
import type { OpenWish } from "../host/project/approvals.ts";
import { rememberOwn, rememberYes } from "../host/project/remember.ts";

const QUESTION = "Say yes? [y] until it changes, [a] always: I write here, [o] once, [n] no: ";

/** The longest answer that is read. */
const MOST_BYTES = 1024;

/**
 * Asks whether wishes may take effect, and remembers the answer. Throws the error of `refusal` for
 * a no, and where nobody is there to be asked.
 */
export async function askForTrust(
  open: readonly OpenWish[],
  refusal: KarotteError,
  signal: AbortSignal,
): Promise<void> {
  if (!Deno.stdin.isTerminal() || !Deno.stderr.isTerminal()) throw refusal;
  logLine("This takes effect on this machine only after your yes:");
  for (const { folder, wish, isChanged } of open) {
    const what = `${printable(wish.name)}${isChanged ? " (changed)" : ""}`;
    logLine(`  ${what}, of ${printable(folder)}: ${printable(wish.about)}`);
  }
  switch (await answer(signal)) {
    case "y":
      return await rememberYes(open);
    case "a":
      return await rememberOwn(open.map(({ folder }) => folder));
    case "o":
      return;
    default:
      throw refusal;
  }
}

/** Returns the first letter of what the user typed; empty: nothing, or the terminal is gone. */
async function answer(signal: AbortSignal): Promise<string> {
  logLine(QUESTION);
  const bytes = new Uint8Array(MOST_BYTES);
  const count = await orAbort(Deno.stdin.read(bytes), signal) ?? 0;
  return new TextDecoder().decode(bytes.subarray(0, count)).trim().toLowerCase().slice(0, 1);
}
