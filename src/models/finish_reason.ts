import type { LanguageModelV3FinishReason } from "@ai-sdk/provider";
import { CONTEXT_IS_FULL, PAUSED } from "../protocol/turn.ts";
import { BrokenStreamError } from "./broken_stream.ts";

const REASONS: Readonly<Record<string, string>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
};

/** What packages don't know the meaning of, by the provider's word. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/length|max_tokens|token_limit/i, "length"],
  [/filter|safety|refus|blocked|sensitive/i, "content_filter"],
  [/tool|function/i, "tool_calls"],
];

/**
 * Why a turn ended, as `Turn.finish_reason` says it. Throws a `BrokenStreamError` where the
 * provider gives no reason, or one that says that it failed.
 */
export function finishReasonOf({ unified, raw }: LanguageModelV3FinishReason): string {
  // Packages take these for an end like any other.
  if (raw === PAUSED || raw === CONTEXT_IS_FULL) return raw;
  const known = REASONS[unified];
  if (known !== undefined) return known;
  if (raw === undefined) throw new BrokenStreamError("the stream ended without a finish reason");
  if (unified === "error" || /error|malformed|unexpected/i.test(raw)) {
    throw new BrokenStreamError(`the provider gave up on the turn: ${raw}`);
  }
  return OTHERS.find(([pattern]) => pattern.test(raw))?.[1] ?? "stop";
}
