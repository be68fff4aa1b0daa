import type { EvaluationRunConfig } from "../../schemas/run_config.ts";
import { type AgentConfig, isExternal } from "../agents.ts";
import { uploadArtifacts } from "./artifact_upload.ts";
import { noBackend } from "./base_url.ts";
import { BackendClient, type BackendTimes } from "./client.ts";
import { BackendStream } from "./event_stream.ts";
import { ExternalSource } from "./external_source.ts";

export interface OpenBackendOptions {
  /** The file to which the recorder appends; it is there. */
  readonly eventsPath: string;
  /** Shows the user what went wrong and does not end the run. */
  warn(message: string): void;
  /** The user's interrupt. */
  readonly signal: AbortSignal;
  /** Absent: where `KAROTTE_BACKEND_TOKEN_PATH` says. */
  readonly tokenPath?: string;
  readonly times?: BackendTimes;
  /** Milliseconds that the backend may take for the rest after an interrupt; absent: 5 s. */
  readonly interruptGraceMs?: number;
}

const INTERRUPT_GRACE_MS = 5_000;

/** The backend of one run. Dispose of it when the run is over. */
export class Backend implements AsyncDisposable {
  readonly #client: BackendClient;
  readonly #stopping: Stopping;
  readonly #options: OpenBackendOptions;
  /** The run's events on their way to the backend. */
  readonly stream: BackendStream;

  /** Throws as `openBackend` does, and what the file system says of the events file. */
  constructor(config: { run_id: string; backend_uri: string }, options: OpenBackendOptions) {
    using parts = new DisposableStack();
    this.#options = options;
    const { eventsPath, tokenPath, times, interruptGraceMs = INTERRUPT_GRACE_MS } = options;
    this.#stopping = parts.use(new Stopping(options.signal, interruptGraceMs));
    const warn = (message: string) => options.warn(message);
    this.#client = parts.use(
      new BackendClient({
        uri: config.backend_uri,
        runId: config.run_id,
        signal: this.#stopping.signal,
        warn,
        ...(tokenPath === undefined ? {} : { tokenPath }),
        ...(times === undefined ? {} : { times }),
      }),
    );
    this.stream = new BackendStream({ client: this.#client, eventsPath, warn });
    parts.move(); // from here on they are this object's to dispose of
  }

  /** Returns the source of the turns of an agent behind the backend. */
  external(): ExternalSource {
    return new ExternalSource({
      client: this.#client,
      warn: (message) => this.#options.warn(message),
    });
  }

  /** Uploads a folder of artifacts after the run. Never throws: what is left out is warned of. */
  async uploadArtifacts(folder: string): Promise<void> {
    await uploadArtifacts(folder, {
      client: this.#client,
      signal: this.#options.signal,
      warn: (message) => this.#options.warn(message),
    });
  }

  /** Ends what is still under way; after `stream.finish()` that is nothing. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping[Symbol.dispose]();
    await this.stream.finish();
    this.#client[Symbol.dispose]();
  }
}

/**
 * Opens the backend of a run; undefined if its config names none. Throws a usage error if the URI
 * can't be used, or if there is none and the run's agent is behind it.
 */
export function openBackend(
  config: Pick<EvaluationRunConfig, "run_id" | "backend_uri"> & AgentConfig,
  options: OpenBackendOptions,
): Backend | undefined {
  const { run_id, backend_uri } = config;
  if (backend_uri !== null) return new Backend({ run_id, backend_uri }, options);
  if (!isExternal(config)) return undefined;
  throw noBackend();
}

/** Fires some time after the user's interrupt, so that the last events can still be sent. */
class Stopping implements Disposable {
  readonly #controller = new AbortController();
  readonly #interrupt: AbortSignal;
  readonly #graceMs: number;
  readonly #onInterrupt = () => {
    const { reason } = this.#interrupt;
    this.#timer = setTimeout(() => this.#controller.abort(reason), this.#graceMs);
  };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(interrupt: AbortSignal, graceMs: number) {
    this.#interrupt = interrupt;
    this.#graceMs = graceMs;
    interrupt.addEventListener("abort", this.#onInterrupt, { once: true });
    if (interrupt.aborted) this.#onInterrupt();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#interrupt.removeEventListener("abort", this.#onInterrupt);
    this.#controller.abort(new Error("The run is over"));
  }
}
