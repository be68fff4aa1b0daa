import { KarotteError } from "../../base/errors.ts";
import { isLoopbackHost, mayBePublicHost } from "../../base/public_address.ts";

export const JSR_REGISTRY = "https://npm.jsr.io";
export const NPM_REGISTRY = "https://registry.npmjs.org/";

/** Ends the key of a setting that must not be shown. */
export const SECRET = /:(_authToken|_auth|_password)$/;

/** Returns those that neither the user named nor we. */
export function strangeRegistries(
  all: Readonly<Record<string, string>>,
  mine: Readonly<Record<string, string>>,
): string[] {
  const known = [NPM_REGISTRY, JSR_REGISTRY, ...Object.values(mine)].map(normal);
  return Object.values(all).filter((url) => !known.includes(normal(url)));
}

function normal(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(/\/*$/, "/");
}

/** Returns host and port of each URL. */
export function hostsOf(urls: readonly string[]): Set<string> {
  return new Set(urls.flatMap((url) => URL.parse(url)?.host ?? []));
}

/** Throws a usage error for the registry of a stranger's `.npmrc` that is not on the internet. */
export function checkPublic(text: string, npmrc: string, redact: (text: string) => string): void {
  const url = URL.parse(text);
  if (url?.protocol === "https:" && mayBePublicHost(url)) return;
  throw new KarotteError(
    "usage",
    `Cannot use the registry "${redact(text)}" of "${npmrc}": it is not public, over https`,
    { hint: "A registry of your network has to stand in your own .npmrc, in your home folder." },
  );
}

/** Throws a usage error where a token or password would be sent so that others can read it. */
export function checkSecrecy(
  text: string,
  options: Readonly<Record<string, unknown>>,
  redact: (text: string) => string,
): void {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" || isLoopbackHost(url)) return;
  const isKnown = url.username !== "" || url.password !== "" || hasSecret(url.host, options);
  if (!isKnown) return;
  throw new KarotteError(
    "usage",
    `Cannot use the registry "${
      redact(text)
    }": a token or password for it would travel in plain text`,
    { hint: "Name it in .npmrc with https:, or take the token out." },
  );
}

/** Whether npm's options have a token or password for a host. */
export function hasSecret(host: string, options: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(options).some((key) => key.startsWith(`//${host}/`) && SECRET.test(key));
}
