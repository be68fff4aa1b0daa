import { type Run, run, type RunOptions, type RunResult } from "../../base/process.ts";
import { explainFailure } from "./failure.ts";
import type { Engine } from "./record.ts";

/** The time in milliseconds in which a daemon that is there answers, also on a loaded machine. */
const TIMEOUT_MS = 60_000;
/** The time in milliseconds for the first question, which a daemon that is down must not hang. */
export const CONNECT_TIMEOUT_MS = 15_000;

/** How the client of an engine is run. */
export interface CallerOptions {
  /** Runs the client; the real one if absent. */
  readonly run?: Run;
  /** Added to the client's environment (`DOCKER_HOST`). */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The command line of one engine. */
export class EngineCaller {
  readonly engine: Engine;
  /** For every process of the engine's client, besides this one's environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #run: Run;

  constructor(engine: Engine, { run: runProgram = run, variables = {} }: CallerOptions = {}) {
    this.engine = engine;
    this.variables = variables;
    this.#run = runProgram;
  }

  /** Runs a program as the client is run, however long it takes. */
  async run(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    return await this.#run(argv, { ...options, env: { ...this.variables, ...options.env } });
  }

  /** Runs a command of the engine to its end, bounded in time; one that fails is a value. */
  async call(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const argv = [...this.engine.command, ...args];
    return await this.run(argv, { timeoutMs: TIMEOUT_MS, ...options });
  }

  /**
   * Runs a command and returns what it prints. Throws a `KarotteError` saying that `what` can't be
   * done, and why.
   */
  async ask(what: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
    const result = await this.call(args, options);
    if (result.code === 0) return new TextDecoder().decode(result.stdout);
    throw this.failure(what, result);
  }

  /** Returns the error for a call that failed. */
  failure(what: string, result: RunResult): Error {
    const said = new TextDecoder().decode(result.stderr);
    return explainFailure(this.engine, what, result.timedOut ? "it does not answer" : said);
  }
}
