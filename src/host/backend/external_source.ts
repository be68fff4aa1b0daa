import { prettifyError, z } from "zod";
import { type Clock, systemClock } from "../../base/clock.ts";
import { KarotteError } from "../../base/errors.ts";
import { oneLine } from "../../base/one_line.ts";
import { message, messageSchema } from "../../schemas/message.ts";
import type { Turn } from "../../protocol/turn.ts";
import type { BackendClient } from "./client.ts";

export interface ExternalSourceOptions {
  readonly client: BackendClient;
  warn(message: string): void;
  readonly times?: ExternalTimes;
  readonly clock?: Clock;
}

/** How long an agent elsewhere is waited for. */
export interface ExternalTimes {
  /** Milliseconds without a message after which the run ends. */
  readonly limitMs: number;
  /** Milliseconds between two warnings. */
  readonly warningMs: number;
  /** Milliseconds between two requests at the least: a backend may answer at once. */
  readonly spacingMs: number;
}

/** A silence of two hours ends a run. */
export const EXTERNAL_TIMES: ExternalTimes = {
  limitMs: 120 * 60_000,
  warningMs: 30_000,
  spacingMs: 100,
};

/** The external agent sent nothing for too long. */
export class ExternalAgentTimeoutError extends KarotteError {
  override readonly name = "ExternalAgentTimeoutError";

  constructor(limitMs: number) {
    const minutes = Math.round(limitMs / 60_000);
    super("run", `Cannot go on without the external agent: no message for ${minutes} minutes`);
  }
}

/**
 * Takes the assistant's turns from an agent elsewhere, by way of the backend. It reports no usage.
 */
export class ExternalSource {
  readonly #client: BackendClient;
  readonly #warn: (message: string) => void;
  readonly #times: ExternalTimes;
  readonly #clock: Clock;
  /** The message taken last, as JSON: it comes again if its deletion was not heard. */
  #taken: string | undefined;

  constructor(options: ExternalSourceOptions) {
    this.#client = options.client;
    this.#warn = (message) => options.warn(message);
    this.#times = options.times ?? EXTERNAL_TIMES;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Waits for the next message. Throws an `ExternalAgentTimeoutError`, a `KarotteError` if the
   * message is not an assistant's or the backend fails, and the signal's reason.
   */
  async nextTurn(signal: AbortSignal): Promise<Turn> {
    const { limitMs, warningMs, spacingMs } = this.#times;
    const start = this.#clock.now();
    for (let warnings = 1;;) {
      signal.throwIfAborted();
      const askedAt = this.#clock.now();
      const leftMs = start + limitMs - askedAt;
      if (leftMs <= 0) throw new ExternalAgentTimeoutError(limitMs);
      const turn = await this.#ask({ signal, budgetMs: leftMs });
      if (turn !== undefined) return turn;
      const now = this.#clock.now();
      if (now - start >= warnings * warningMs) {
        this.#warn(`no message of the external agent for ${Math.round((now - start) / 1000)} s`);
        warnings = Math.floor((now - start) / warningMs) + 1;
      }
      const restMs = askedAt + spacingMs - now;
      if (restMs > 0) await this.#clock.sleep(restMs, signal);
    }
  }

  async #ask(options: { signal: AbortSignal; budgetMs: number }): Promise<Turn | undefined> {
    const event = await this.#client.getMessage(options);
    if (event === undefined) return undefined;
    const text = JSON.stringify(event);
    const isNew = text !== this.#taken;
    const turn = isNew ? turnOf(event) : undefined;
    this.#taken = text;
    await this.#client.deleteMessage(options.signal);
    return turn;
  }
}

/** What agents may leave out is what the original's messages have by default. */
const assistantMessage = z.preprocess(
  (sent) => isObject(sent) ? message({ role: "assistant", ...sent }) : sent,
  messageSchema,
).refine(({ role }) => role === "assistant", { path: ["role"], error: 'expected "assistant"' });

const eventSchema = z.object({
  // With its time no message is the same as another.
  timestamp: z.string(),
  type: z.literal("message_added"),
  message: assistantMessage,
  finish_reason: z.string().nullable().default(null),
});

function turnOf(event: unknown): Turn {
  const parsed = eventSchema.safeParse(event);
  if (parsed.success) {
    return { message: parsed.data.message, finish_reason: parsed.data.finish_reason, usage: null };
  }
  const problem = oneLine(prettifyError(parsed.error));
  throw new KarotteError("run", `Cannot take a message of the external agent: ${problem}`, {
    hint: "expected a message_added event with a message of the assistant",
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
