import { KarotteError } from "../../src/base/errors.ts";
import { type CallOptions, karotte, type Said } from "../../tests/cli/karotte.ts";

/**
 * No plugins but those that the folder of a call names: the user's own are not what is measured.
 */
export const ONLY_LOCAL_PLUGINS = {
  KAROTTE_PLUGINS: "",
  CHALK_PLUGINS: "",
};

/** Runs `karotte ARGS...`; throws a `KarotteError` if it fails: its time would say nothing. */
export async function successful(args: readonly string[], options: CallOptions): Promise<void> {
  const said = await karotte(args, { ...options, env: { ...ONLY_LOCAL_PLUGINS, ...options.env } });
  if (said.code !== 0) throw failure(`karotte ${args[0]}`, said);
}

/** Why something can't be measured: the last words of the command that failed. */
export function failure(what: string, { code, stderr }: Said): KarotteError {
  const lastWords = stderr.trim().split("\n").slice(-2).join("; ");
  return new KarotteError("run", `Cannot measure "${what}": exit status ${code}, "${lastWords}"`);
}
