import type { Model, ModelRequest } from "../../models/model.ts";
import { ModelFailure } from "../../protocol/model_failure.ts";
import {
  CONTEXT_IS_FULL,
  type JudgeAnswer,
  MOST_PAUSES,
  PAUSED,
  type Usage,
} from "../../protocol/turn.ts";
import type { Message } from "../../schemas/message.ts";
import { textOf } from "../../sdk/transcript.ts";

/**
 * Returns the answer to a question, as one text however often its model paused. `onUsage` is told
 * what each request took. Throws a `ModelFailure` for an answer that has no end: the context was
 * full, or the model paused for ever.
 */
export async function wholeAnswer(
  model: Model,
  { request, onUsage }: {
    readonly request: ModelRequest;
    readonly onUsage: (usage: Usage | null) => void;
  },
): Promise<Omit<JudgeAnswer, "model">> {
  const said: Message[] = [];
  let usage: Usage | null | undefined;
  while (said.length <= MOST_PAUSES) {
    const turn = await model.ask({ ...request, messages: [...request.messages, ...said] });
    onUsage(turn.usage);
    usage = usage === undefined ? turn.usage : sumOf(usage, turn.usage);
    said.push(turn.message);
    const { finish_reason } = turn;
    if (finish_reason === CONTEXT_IS_FULL) {
      const reason = `${model.id}: the model's context was full before its answer was over`;
      throw new ModelFailure(reason, { kind: "context_length" });
    }
    if (finish_reason !== PAUSED) return { text: said.map(textOf).join(""), finish_reason, usage };
  }
  const reason = `${model.id}: the model paused ${said.length} times in one answer`;
  throw new ModelFailure(reason, { kind: "provider" });
}

/** Returns what two requests took; null if the provider doesn't tell of one of them. */
function sumOf(one: Usage | null, other: Usage | null): Usage | null {
  if (one === null || other === null) return null;
  const sum = (a: number | null, b: number | null) => a === null || b === null ? null : a + b;
  return {
    ...other,
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_read_tokens: sum(one.cache_read_tokens, other.cache_read_tokens),
    cache_write_tokens: sum(one.cache_write_tokens, other.cache_write_tokens),
  };
}
