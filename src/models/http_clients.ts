import { KarotteError, messageOf } from "../base/errors.ts";

/** Each names a file of certificates in PEM that are trusted beside the well-known ones. */
const CERTIFICATE_VARIABLES = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "DENO_CERT"];

/** Reads a variable of the environment; undefined if it is not set. */
export type Variable = (name: string) => string | undefined;

/**
 * The HTTP clients for model calls. They keep no connection: one that idled through a tool call may
 * be closed by the time it is used, and Deno then sends the request a second time, which is billed.
 * HTTP(S)_PROXY and NO_PROXY hold as for all of Deno, but servers on this machine are asked directly.
 */
export class HttpClients implements Disposable {
  readonly #options: Deno.CreateHttpClientOptions;
  readonly #usesProxy: boolean;
  readonly #clients = new Map<string, Deno.HttpClient>();

  /** Throws a usage error for a file of certificates that can't be used. */
  constructor(variable: Variable) {
    const caCerts = certificates(variable);
    this.#options = { poolMaxIdlePerHost: 0, http2: false, caCerts };
    this.#usesProxy = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]
      .some((name) => variable(name));
  }

  /** The client for a request to `url`. */
  of(url: URL): Deno.HttpClient {
    const isDirect = this.#usesProxy && url.protocol === "http:" && isLoopback(url.hostname);
    const key = isDirect ? url.host : "";
    const client = this.#clients.get(key) ??
      Deno.createHttpClient(isDirect ? { ...this.#options, proxy: direct(url) } : this.#options);
    this.#clients.set(key, client);
    return client;
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }
}

/** A proxy's `localhost` would be another machine. Deno can only be told where to connect instead. */
function direct({ hostname, port }: URL): Deno.Proxy {
  return {
    transport: "tcp",
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || "80"),
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
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
