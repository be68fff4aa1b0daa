const MOST_CHARS = 500;

/** Control characters, line breaks, and those that turn the direction of text around. */
// deno-lint-ignore no-control-regex -- they are what is taken out
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/**
 * A stranger's text as one line of at most 500 characters, or so many, without control characters,
 * and without credentials and query of the URLs in it: keys travel there.
 */
export function oneLine(text: string, mostChars: number = MOST_CHARS): string {
  const line = text.slice(0, 10 * mostChars)
    .replace(/https?:\/\/[^\s"'<>\\]*[^\s"'<>\\.,:;)]/gi, plainUrl)
    .replace(UNPRINTABLE, " ").replace(/ {2,}/g, " ").trim();
  return line.length <= mostChars ? line : `${line.slice(0, mostChars - 1).trimEnd()}…`;
}

/** A URL without user, password, query and fragment. */
export function plainUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text.replace(/[?#].*/, "").replace(/\/\/.*@/, "//");
  if (url.origin !== "null") return `${url.origin}${url.pathname}`;
  // One without an origin: `unix:///run/api.sock`.
  Object.assign(url, { username: "", password: "", search: "", hash: "" });
  // Without `//` a user and a password are no parts of it by the rules, and may be meant as such.
  return url.href.includes("//") ? url.href : url.href.replace(/^.*@/, "");
}
