import type { FakeMessage } from "../../sdk/fake_message.ts";
import { message } from "../../schemas/message.ts";
import type { Turn } from "../../protocol/turn.ts";
import type { TurnSource } from "./turn_source.ts";

/** The script has no more messages although the run goes on. */
export class ScriptExhaustedError extends Error {
  override readonly name = "ScriptExhaustedError";
}

/** Replays the environment's own messages, one per turn, across steps. */
export class ScriptedSource implements TurnSource {
  readonly #messages: readonly FakeMessage[];
  #next = 0;

  /** Throws a `TypeError` that names the first message of a wrong shape. */
  constructor(messages: unknown) {
    if (!Array.isArray(messages)) {
      throw new TypeError("fake_model.ts: getMessages must return an array of messages");
    }
    messages.forEach(checkMessage);
    this.#messages = messages;
  }

  nextTurn(): Promise<Turn> {
    const scripted = this.#messages[this.#next];
    if (!scripted) {
      const count = this.#messages.length;
      return Promise.reject(
        new ScriptExhaustedError(`The script ended after ${count} messages but the run goes on`),
      );
    }
    const turn = this.#next++;
    return Promise.resolve({
      message: message({
        role: "assistant",
        content: scripted.content ?? null,
        reasoning_content: scripted.reasoning_content ?? null,
        tool_calls: scripted.tool_calls?.map((call, index) => ({
          id: call.id ?? `call_${turn}_${index}`,
          function: { ...call.function },
          type: "function",
        })) ?? null,
      }),
      finish_reason: null,
      usage: null,
    });
  }
}

function checkMessage(value: unknown, index: number): void {
  const fault = (what: string) => new TypeError(`fake_model.ts: message ${index}: ${what}`);
  if (typeof value !== "object" || value === null) throw fault("expected an object");
  const { role, content, tool_calls: calls } = value as Record<string, unknown>;
  if (role !== undefined && role !== "assistant") throw fault('role must be "assistant"');
  if (content !== undefined && content !== null && typeof content !== "string") {
    throw fault("content must be text or null");
  }
  if (calls === undefined || calls === null) return;
  if (!Array.isArray(calls)) throw fault("tool_calls must be an array");
  for (const call of calls) {
    const called = (call as { function?: { name?: unknown; arguments?: unknown } } | null)
      ?.function;
    if (typeof called?.name !== "string" || typeof called.arguments !== "string") {
      throw fault("a tool call needs function.name and function.arguments (JSON text)");
    }
  }
}
