import type { Clock } from "../../base/clock.ts";
import { KarotteError, messageOf } from "../../base/errors.ts";
import { isLoopbackHost } from "../../base/public_address.ts";
import { baseUrl } from "./base_url.ts";
import { type Answer, exchange } from "./exchange.ts";
import { BackendRefusal, PassingFailure, shown } from "./failure.ts";
import { type Retried, retried } from "./retry.ts";
import { readToken } from "./token.ts";

export interface BackendCallerOptions {
  /** The `backend_uri` of the run config. */
  readonly uri: string;
  readonly runId: string;
  /** Tells of a call that goes on failing and is tried again. */
  readonly warn: (message: string) => void;
  readonly tokenPath: string;
  readonly clock: Clock;
}

/** One call of the backend's API. */
export interface Call {
  /** Path below the base URL. */
  readonly path: string;
  readonly method: "GET" | "POST";
  /** JSON. */
  readonly body?: Uint8Array<ArrayBuffer>;
  /** A status beside 2xx that is an answer too. */
  readonly accepts?: number;
  /** Milliseconds for one try. */
  readonly attemptMs: number;
  readonly signal: AbortSignal;
}

/** Makes calls in the name of a run: address, token, tries, and errors that name the call. */
export class Caller implements Disposable {
  readonly #options: BackendCallerOptions;
  readonly #base: URL;
  /** Kept between calls. */
  readonly #connections: Deno.HttpClient;
  /** One for each call. */
  readonly #freshConnections: Deno.HttpClient;

  /** Throws a usage error if the URI is none. */
  constructor(options: BackendCallerOptions) {
    this.#options = options;
    this.#base = baseUrl(options.uri);
    // Servers close idle connections after 5 s and more: one that may just be closing is not used.
    this.#connections = Deno.createHttpClient({ poolIdleTimeout: 4_000 });
    // Deno sends a request again by itself if a connection that it kept is closed on it.
    this.#freshConnections = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  }

  /**
   * Tries again while there is no answer or a 5xx. Throws a `KarotteError` when the budget, in
   * milliseconds, is used up, a `BackendRefusal` for any other status, and the signal's reason.
   */
  async call(call: Call, { budgetMs }: { budgetMs: number }): Promise<Retried<Answer>> {
    const { clock, warn } = this.#options;
    try {
      return await retried(
        (attemptMs) => this.#attempt({ ...call, attemptMs }, this.#connections),
        {
          budgetMs,
          attemptMs: call.attemptMs,
          signal: call.signal,
          clock,
          onTrouble: (what) =>
            warn(`${this.#cannot(call)}: ${what}; it is tried again for a while`),
        },
      );
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      throw new KarotteError("run", `${this.#cannot(call)}: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Heard once at the most. Undefined: nobody knows whether it was. */
  async callOnce(call: Call): Promise<Answer | undefined> {
    try {
      return await this.#attempt(call, this.#freshConnections);
    } catch (error) {
      if (error instanceof PassingFailure) return undefined;
      throw error;
    }
  }

  /** What an answer says; throws a `BackendRefusal` if it is no JSON. */
  json(call: Call, answer: Answer): unknown {
    try {
      return JSON.parse(answer.text);
    } catch {
      throw this.misanswer(call, { status: answer.status, expected: "JSON" });
    }
  }

  /** It is not shown what the answer was: it may be a message of the run, or presigned. */
  misanswer(call: Call, { status, expected }: { status: number; expected: string }) {
    const message = `${this.#cannot(call)}: it answered something else than ${expected}`;
    return new BackendRefusal(message, { status });
  }

  [Symbol.dispose](): void {
    this.#connections.close();
    this.#freshConnections.close();
  }

  async #attempt(call: Call, client: Deno.HttpClient): Promise<Answer> {
    const url = new URL(call.path, this.#base);
    url.searchParams.set("run_id", this.#options.runId);
    const token = await this.#token();
    const headers = new Headers({ accept: "application/json" });
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    if (call.body) headers.set("content-type", "application/json");
    const answer = await exchange(url, { ...call, headers, client });
    if (isOk(answer.status) || answer.status === call.accepts) return answer;
    throw this.#unexpected(call, answer, token);
  }

  /** Throws a usage error where whoever is on the way could read it. */
  async #token(): Promise<string | undefined> {
    const { tokenPath } = this.#options;
    const token = await readToken(tokenPath);
    if (token === undefined || this.#base.protocol === "https:" || isLoopbackHost(this.#base)) {
      return token;
    }
    const { origin } = this.#base;
    throw new KarotteError(
      "usage",
      `Cannot use backend_uri "${origin}": the token would travel in plain text`,
      { hint: `use https, or KAROTTE_BACKEND_TOKEN_PATH without the token of "${tokenPath}"` },
    );
  }

  #unexpected(call: Call, { status, text }: Answer, token: string | undefined): Error {
    // A server may say what it was sent.
    const said = shown(token === undefined ? text : text.replaceAll(token, "[redacted]"));
    const told = `it answered ${status}${said === "" ? "" : `: ${said}`}`;
    if (status >= 500) return new PassingFailure(told);
    const hint = this.#hint(status, token !== undefined);
    return new BackendRefusal(`${this.#cannot(call)}: ${told}`, {
      status,
      ...(hint === undefined ? {} : { hint }),
    });
  }

  #hint(status: number, hadToken: boolean): string | undefined {
    const { tokenPath } = this.#options;
    if (status === 401 || status === 403) {
      return hadToken
        ? `the token is the one in "${tokenPath}"`
        : `no token was sent: none is in "${tokenPath}" (KAROTTE_BACKEND_TOKEN_PATH)`;
    }
    return status >= 300 && status < 400 ? "redirects are not followed" : undefined;
  }

  #cannot({ path }: Call): string {
    return `Cannot call "${path.split("/").at(-1)}" of the backend "${this.#base.origin}"`;
  }
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}
