import { KarotteError } from "../../base/errors.ts";
import { plainUrl } from "../../base/one_line.ts";

/**
 * Returns the proxy for model calls, which the host makes, without a slash at its end: the flag's,
 * else the plugins'; undefined for none. Throws a usage error for what is no http(s) URL, or one
 * with more than a path: credentials would be shown, and sent beside the key.
 */
export function resolveProxy(
  flags: { readonly proxy: string | undefined; readonly noProxy: boolean | undefined },
  defaultUrl: string | undefined,
): string | undefined {
  if (flags.noProxy) return undefined;
  const text = flags.proxy ?? defaultUrl;
  if (text === undefined) return undefined;
  const refuse = (state: string, hint: string) =>
    new KarotteError("usage", `Cannot use proxy "${plainUrl(text)}": ${state}`, { hint });
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw refuse(
      "no http(s) URL",
      "--proxy takes the root of a model API, like http://localhost:4000",
    );
  }
  if (url.username || url.password) {
    throw refuse("it has a user or a password", "give the key of the proxy with --model-api-key");
  }
  if (/[?#]/.test(text)) throw refuse("it has a query or a fragment", "leave that part out");
  return text.replace(/\/+$/, "");
}
