import { pathToFileURL } from "node:url";
import { publishSdk } from "../sdk/publish.ts";

/**
 * `karotte exec BUNDLE ARGS...`: runs a script of the environment as if it were the program, with
 * the sdk in place and `Deno.args` its own.
 */
export async function execScript([bundle, ...args]: readonly string[]): Promise<undefined> {
  if (bundle === undefined) throw new TypeError("karotte exec needs a bundle");
  publishSdk();
  Object.defineProperty(Deno, "args", { value: Object.freeze(args) });
  await import(pathToFileURL(bundle).href);
  return undefined;
}
