import { KarotteError } from "../../src/base/errors.ts";
import { type CallOptions, karotte, type Said } from "../../tests/cli/karotte.ts";

/** Runs `karotte ARGS...`; throws a `KarotteError` if it fails: its time would say nothing. */
export async function successful(args: readonly string[], options: CallOptions): Promise<void> {
  const said = await karotte(args, options);
  if (said.code !== 0) throw failure(`karotte ${args[0]}`, said);
}

/** Why something can't be measured: the last words of the command that failed. */
export function failure(what: string, { code, stderr }: Said): KarotteError {
  const lastWords = stderr.trim().split("\n").slice(-2).join("; ");
  return new KarotteError("run", `Cannot measure "${what}": exit status ${code}, "${lastWords}"`);
}
