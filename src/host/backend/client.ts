import { concat } from "../../base/bounded_bytes.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { type Call, Caller } from "./caller.ts";
import type { RunState } from "./run_state.ts";
import { tokenPath } from "./token.ts";

/** How long the backend is waited for. */
export interface BackendTimes {
  /** Milliseconds for one try of a call. */
  readonly attemptMs: number;
  /** Milliseconds for a call with all its tries. */
  readonly budgetMs: number;
  /** The same for addresses of artifacts. */
  readonly presignAttemptMs: number;
  readonly presignBudgetMs: number;
}

/** Where none are given: a backend may be away for 25 minutes. */
export const BACKEND_TIMES: BackendTimes = {
  attemptMs: 30_000,
  budgetMs: 25 * 60_000,
  presignAttemptMs: 60_000,
  presignBudgetMs: 5 * 60_000,
};

export interface BackendClientOptions {
  /** The `backend_uri` of the run config. */
  readonly uri: string;
  readonly runId: string;
  /** Ends every call. */
  readonly signal: AbortSignal;
  /** Tells of a call that goes on failing and is tried again. */
  warn?(message: string): void;
  /** Absent: where `KAROTTE_BACKEND_TOKEN_PATH` says. */
  readonly tokenPath?: string;
  readonly times?: BackendTimes;
  readonly clock?: Clock;
}

/** The calls of a run's backend. They throw as those of `Caller` do. */
export class BackendClient implements Disposable {
  readonly #caller: Caller;
  readonly #runId: string;
  readonly #signal: AbortSignal;
  readonly #times: BackendTimes;

  /** Throws a usage error if the URI is none. */
  constructor(options: BackendClientOptions) {
    this.#caller = new Caller({
      uri: options.uri,
      runId: options.runId,
      warn: (message) => options.warn?.(message),
      tokenPath: options.tokenPath ?? tokenPath(),
      clock: options.clock ?? systemClock,
    });
    this.#runId = options.runId;
    this.#signal = options.signal;
    this.#times = options.times ?? BACKEND_TIMES;
  }

  /** A transcript that is there already is fine: an earlier try may have made it. */
  async createTranscript(): Promise<void> {
    const call = this.#internal("POST", "create_transcript");
    await this.#caller.call({ ...call, accepts: 409 }, this.#times);
  }

  /** How many events the backend has; null if it has no transcript of the run. */
  async transcriptLength(): Promise<number | null> {
    const call = this.#internal("GET", "transcript_length");
    const { result } = await this.#caller.call({ ...call, accepts: 404 }, this.#times);
    if (result.status === 404) return null;
    const length = this.#caller.json(call, result);
    if (typeof length === "number" && Number.isSafeInteger(length) && length >= 0) return length;
    throw this.#caller.misanswer(call, { status: result.status, expected: "a length" });
  }

  /** Puts an event, in JSON, into a slot. Returns how many tries that took. */
  async appendTranscript(seq: number, event: Uint8Array): Promise<number> {
    const body = concat([utf8.encode('{"event":'), event, utf8.encode(`,"seq":${seq}}`)]);
    const call = this.#internal("POST", "append_transcript");
    return (await this.#caller.call({ ...call, body }, this.#times)).attempts;
  }

  async updateRunState(state: RunState): Promise<void> {
    const call = this.#internal("POST", "update_run_state");
    await this.#caller.call({ ...call, body: jsonBytes(state) }, this.#times);
  }

  /**
   * The external agent's next message, which stays in the backend; undefined if there is none yet.
   */
  async getMessage({ signal, budgetMs }: { signal: AbortSignal; budgetMs: number }) {
    const call = { ...this.#internal("GET", "get_message"), signal };
    const { result } = await this.#caller.call({ ...call, accepts: 404 }, {
      budgetMs: Math.min(budgetMs, this.#times.budgetMs),
    });
    return result.status === 404 ? undefined : this.#caller.json(call, result);
  }

  /**
   * Deletes the message that `getMessage` gave. Tried once, since the call doesn't say which
   * message it means: false if nobody knows whether it was heard.
   */
  async deleteMessage(signal: AbortSignal): Promise<boolean> {
    const call = { ...this.#internal("POST", "delete_message"), signal };
    const answer = await this.#caller.callOnce({ ...call, accepts: 404 });
    if (answer === undefined) return false;
    if (answer.status !== 404) this.#caller.json(call, answer);
    return true;
  }

  /** Where to put artifacts, by path; those that the backend left out are missing. */
  async presign(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { presignAttemptMs: attemptMs, presignBudgetMs: budgetMs } = this.#times;
    const path = "api/artifacts/presign";
    const body = jsonBytes({ run_id: this.#runId, artifact_paths: paths });
    const call: Call = { path, method: "POST", body, attemptMs, signal: this.#signal };
    const { result } = await this.#caller.call(call, { budgetMs });
    const answer = this.#caller.json(call, result) as { presigned_urls?: unknown } | null;
    const urls = answer?.presigned_urls;
    if (typeof urls !== "object" || urls === null) {
      throw this.#caller.misanswer(call, { status: result.status, expected: "presigned_urls" });
    }
    return new Map(Object.entries(urls).filter(([, url]) => typeof url === "string"));
  }

  [Symbol.dispose](): void {
    this.#caller[Symbol.dispose]();
  }

  #internal(method: Call["method"], name: string): Call {
    const { attemptMs } = this.#times;
    return { path: `api/internal/${name}`, method, attemptMs, signal: this.#signal };
  }
}

const utf8 = new TextEncoder();

function jsonBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return utf8.encode(JSON.stringify(value));
}
