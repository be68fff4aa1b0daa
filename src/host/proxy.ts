import { KarotteError } from "../base/errors.ts";

/**
 * The proxy for model calls, which the host makes: the flag's, else the plugins'; undefined for
 * none. Without a slash at the end. Throws a usage error for what is no http(s) URL.
 */
export function resolveProxy(
  flags: { readonly proxy: string | undefined; readonly noProxy: boolean | undefined },
  defaultUrl: string | undefined,
): string | undefined {
  if (flags.noProxy) return undefined;
  const text = flags.proxy ?? defaultUrl;
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, "");
  throw new KarotteError("usage", `Cannot use proxy "${text}": no http(s) URL`, {
    hint: "--proxy takes the root of a model API, like http://localhost:4000",
  });
}
