import { KarotteError, messageOf } from "../base/errors.ts";

/** Each names a file of certificates in PEM that are trusted beside the well-known ones. */
const CERTIFICATE_VARIABLES = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "DENO_CERT"];

/** Reads a variable of the environment; undefined if it is not set. */
export type Variable = (name: string) => string | undefined;

/** Where no proxy of another machine is asked: its `localhost` would be itself. */
const THIS_MACHINE = ["localhost", "127.0.0.0/8", "::1"];

/**
 * The HTTP client for model calls. It keeps no connection: one that idled through a tool call may
 * be closed by the time it is used, and Deno then sends the request a second time, which is billed.
 * HTTP(S)_PROXY and NO_PROXY hold as for all of Deno, but servers on this machine are asked
 * directly. Throws a usage error for a file of certificates that can't be used.
 */
export function httpClient(variable: Variable): Deno.HttpClient {
  const options = { poolMaxIdlePerHost: 0, http2: false, caCerts: certificates(variable) };
  return withoutProxyHere(() => Deno.createHttpClient(options));
}

/** A client reads NO_PROXY once, when it is made, and takes no exceptions otherwise. */
function withoutProxyHere<Made>(make: () => Made): Made {
  const names = ["NO_PROXY", "no_proxy"];
  const before = names.map((name) => Deno.env.get(name));
  const exceptions = [...before, ...THIS_MACHINE].filter((each) => each).join(",");
  try {
    for (const name of names) Deno.env.set(name, exceptions);
    return make();
  } finally {
    for (const [index, name] of names.entries()) {
      const value = before[index];
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
}

function certificates(variable: Variable): string[] {
  const named = CERTIFICATE_VARIABLES.map((name) => [name, variable(name)] as const);
  return named.flatMap(([name, path]) => path ? [readCertificates(name, path)] : []);
}

function readCertificates(variable: string, path: string): string {
  const hint = `${variable} names a file of certificates in PEM, or is unset`;
  const refuse = (state: string, cause?: unknown) =>
    new KarotteError("usage", `Cannot use certificates "${path}": ${state}`, { hint, cause });
  try {
    const text = Deno.readTextFileSync(path);
    if (!text.includes("-----BEGIN CERTIFICATE-----")) throw refuse("it holds none");
    // A client says whether it can read them.
    Deno.createHttpClient({ caCerts: [text] }).close();
    return text;
  } catch (error) {
    throw error instanceof KarotteError ? error : refuse(messageOf(error), error);
  }
}
