import { KarotteError } from "../../base/errors.ts";

/**
 * Returns the `backend_uri` as a URL to which paths are added. Throws a usage error if it is none.
 */
export function baseUrl(uri: string): URL {
  const url = URL.parse(uri);
  const problem = problemOf(url);
  if (url && problem === undefined) {
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return url;
  }
  // A URI that is refused may hold a password.
  const shown = url?.username || url?.password ? `${url.protocol}//${url.host}` : uri;
  throw new KarotteError("usage", `Cannot use backend_uri "${shown}": ${problem}`, {
    hint: "it looks like https://backend.example/prefix",
  });
}

/** Returns the error of an agent `external` without a `backend_uri`. */
export function noBackend(): KarotteError {
  return new KarotteError("usage", 'Cannot use agent "external": the config has no backend_uri', {
    hint: "its messages come from there",
  });
}

function problemOf(url: URL | null): string | undefined {
  if (url === null) return "it is no URL";
  if (!/^https?:$/.test(url.protocol)) return "it is neither http nor https";
  if (url.username || url.password) return "it holds a user or a password";
  if (url.search || url.hash) return "it has a query or a fragment";
  return undefined;
}
