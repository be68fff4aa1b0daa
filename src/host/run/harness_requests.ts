import { ChannelError, type RpcCall, type RpcHandlers } from "../../base/rpc_peer.ts";
import {
  eventParamsSchema,
  finishParamsSchema,
  judgeParamsSchema,
  nextTurnParamsSchema,
} from "../../protocol/rpc.ts";
import type { TranscriptEvent } from "../../schemas/transcript.ts";
import { checkedMessage } from "./checked_message.ts";
import type { RunAnswers } from "../models/run_answers.ts";

export interface HarnessRequestsOptions {
  /** Resolves when the event is on disk. */
  record(event: TranscriptEvent): Promise<void>;
  readonly answers: RunAnswers;
  /** The user's interrupt. */
  readonly signal: AbortSignal;
}

/** Answers what the harness of one run asks. Events that don't come in order break the channel. */
export class HarnessRequests {
  readonly #options: HarnessRequestsOptions;
  readonly #finished = Promise.withResolvers<void>();
  #events = 0;
  /** Of the last event. */
  #recorded = Promise.resolve();

  readonly handlers: RpcHandlers["requests"] = {
    event: (params) => this.#event(params),
    "model.next": (params, call) => this.#nextTurn(params, call),
    "model.judge": (params, call) => this.#judgeAnswer(params, call),
    finish: (params) => this.#finish(params),
  };

  constructor(options: HarnessRequestsOptions) {
    this.#options = options;
    // Who only waits for something else must not miss it.
    this.#finished.promise.catch(() => {});
  }

  /** Resolves with the last message of the run; rejects if an event could not be recorded. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  async #event(params: unknown): Promise<void> {
    const { seq, event } = checkedMessage("event", eventParamsSchema, params);
    if (seq !== this.#events) {
      throw new ChannelError(`Event ${seq} came where ${this.#events} was due`);
    }
    if (event.type === "judge_usage") {
      throw new ChannelError('An event "judge_usage" came from the sandbox: the host records them');
    }
    this.#events += 1;
    const recorded = this.#options.record(event);
    this.#recorded = recorded;
    await recorded.catch((error) => {
      this.#finished.reject(error);
      throw error;
    });
  }

  async #nextTurn(params: unknown, call: RpcCall) {
    const { answers } = this.#options;
    const { seq, remaining_ms: remainingMs } = checkedMessage(
      "model.next",
      nextTurnParamsSchema,
      params,
    );
    this.#checkSent(seq);
    await this.#recorded; // nothing is asked of what could still be lost
    const asked = answers.nextTurn({ remainingMs, signal: this.#signalOf(call) });
    return await asked.then((turn) => ({ turn }), this.#failed);
  }

  async #judgeAnswer(params: unknown, call: RpcCall) {
    const { question } = checkedMessage("model.judge", judgeParamsSchema, params);
    const asked = this.#options.answers.askJudge(question, this.#signalOf(call));
    return await asked.then((answer) => ({ answer }), this.#failed);
  }

  #finish(params: unknown): void {
    this.#checkSent(checkedMessage("finish", finishParamsSchema, params).events);
    this.#finished.resolve();
  }

  #checkSent(events: number): void {
    if (events === this.#events) return;
    throw new ChannelError(`${events} events were sent, ${this.#events} came`);
  }

  #signalOf(call: RpcCall): AbortSignal {
    return AbortSignal.any([this.#options.signal, call.signal]);
  }

  readonly #failed = (error: unknown) => ({ failure: this.#options.answers.failure(error) });
}
