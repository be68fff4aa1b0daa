import { KarotteError } from "../../src/base/errors.ts";
import { type CallOptions, karotte } from "../../tests/cli/karotte.ts";

/** Runs `karotte ARGS...` and returns what it printed; throws a `KarotteError` if it fails. */
export async function successful(args: readonly string[], options: CallOptions): Promise<string> {
  const { code, stdout, stderr } = await karotte(args, options);
  if (code === 0) return stdout;
  const said = stderr.trim().split("\n").at(-1);
  throw new KarotteError("run", `Cannot measure "karotte ${args[0]}": exit ${code}, ${said}`);
}
