import { KarotteError, messageOf } from "../../base/errors.ts";
import { readTextIfThere } from "../../base/files.ts";

const DEFAULT_PATH = "/var/run/secrets/service-account-token";

/**
 * Where the backend's token is: `KAROTTE_BACKEND_TOKEN_PATH`, or the place where clusters put it.
 */
export function tokenPath(): string {
  return Deno.env.get("KAROTTE_BACKEND_TOKEN_PATH") ||
    Deno.env.get("CHALK_BACKEND_TOKEN_PATH") || DEFAULT_PATH;
}

/**
 * The token, read anew since clusters replace it while a run goes on; undefined if there is no such
 * file or nothing in it. Throws a `KarotteError` that never holds any of its content.
 */
export async function readToken(path: string): Promise<string | undefined> {
  const token = (await readTokenFile(path))?.trim();
  if (token === undefined || token === "") return undefined;
  // A header of `fetch` would be refused with its value in the message.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new KarotteError("run", `Cannot use the backend's token "${path}": it is no token`, {
      hint: "expected one line of printable ASCII characters without spaces",
    });
  }
  return token;
}

async function readTokenFile(path: string): Promise<string | undefined> {
  try {
    return await readTextIfThere(path);
  } catch (error) {
    throw new KarotteError("run", `Cannot read the backend's token "${path}": ${messageOf(error)}`);
  }
}
