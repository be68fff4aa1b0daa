import { concat } from "../../base/bounded_bytes.ts";
import { Deadline } from "./deadline.ts";
import { BackendRefusal, connectionFault, PassingFailure } from "./failure.ts";

export interface ExchangeOptions {
  readonly method: "GET" | "POST";
  readonly headers: Headers;
  /** JSON. */
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly client: Deno.HttpClient;
  /** Milliseconds until the whole answer must be there. */
  readonly attemptMs: number;
  readonly signal: AbortSignal;
}

/** What a server said, whatever the status. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * One request with its whole answer, whatever the status; redirects are answers too, since a token
 * must not follow them. Throws a `PassingFailure` if there is no answer, a `BackendRefusal` if
 * there is far too much of one, and the signal's reason.
 */
export async function exchange(url: URL, options: ExchangeOptions): Promise<Answer> {
  using deadline = new Deadline(options.attemptMs, {
    signal: options.signal,
    reason: () => new PassingFailure(`no answer within ${Math.ceil(options.attemptMs / 1000)} s`),
  });
  try {
    const response = await fetch(url, {
      method: options.method,
      headers: options.headers,
      redirect: "manual",
      signal: deadline.signal,
      client: options.client,
      ...(options.body ? { body: options.body } : {}),
    });
    return { status: response.status, text: await textOf(response) };
  } catch (error) {
    if (error instanceof BackendRefusal) throw error;
    deadline.signal.throwIfAborted();
    throw new PassingFailure(connectionFault(error));
  }
}

/** The whole body. Throws a `BackendRefusal` if it is far too long. */
export async function textOf({ body, status }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) {
      const message = `Cannot use an answer of the backend: above ${MAX_ANSWER_BYTES} bytes`;
      throw new BackendRefusal(message, { status });
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(concat(chunks, length));
}
