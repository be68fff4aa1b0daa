import { type JsonObject, objectOf, picked, without } from "./members.ts";
import type { Reading, StreamRules } from "./stream_rules.ts";

const PART = ["text", "thought", "thoughtSignature"];
/** The members that split tokens up by kind; their sums stand beside them. */
const TOKEN_DETAILS = [
  "promptTokensDetails",
  "cacheTokensDetails",
  "candidatesTokensDetails",
  "toolUsePromptTokensDetails",
];

/** The rules of Gemini's `streamGenerateContent`. */
export const geminiEvents: StreamRules = {
  api: "Gemini's streamGenerateContent",
  open: () => ({ read }),
};

function read(event: JsonObject): Reading | undefined {
  const { candidates, usageMetadata, promptFeedback } = event;
  const isKnown = [candidates, usageMetadata, promptFeedback].some((each) => each !== undefined);
  if (!isKnown) return undefined;
  const usage = objectOf(usageMetadata);
  const feedback = objectOf(promptFeedback);
  const [first] = Array.isArray(candidates) ? candidates : [];
  const { finishReason } = objectOf(first) ?? {};
  // A continuation is asked for by the package, in another request.
  const isEnd = Boolean(finishReason) && finishReason !== "CONTINUATION";
  return {
    event: {
      ...picked(event, ["responseId"]),
      ...(Array.isArray(candidates) ? { candidates: candidates.map(candidateOf) } : { candidates }),
      usageMetadata: usage === undefined ? usageMetadata : without(usage, TOKEN_DETAILS),
      promptFeedback: feedback === undefined ? promptFeedback : picked(feedback, ["blockReason"]),
    },
    ends: isEnd || feedback?.blockReason ? "turn" : undefined,
  };
}

function candidateOf(told: unknown): unknown {
  const candidate = objectOf(told);
  if (candidate === undefined) return told;
  const content = objectOf(candidate.content);
  const parts = content?.parts;
  return {
    ...picked(candidate, ["finishReason", "finishMessage", "continuationToken"]),
    content: content === undefined
      ? candidate.content
      : { parts: Array.isArray(parts) ? parts.flatMap(partOf) : parts },
  };
}

/** Returns a text, a thought or a call, and nothing for what is not asked for. */
function partOf(told: unknown): unknown[] {
  const part = objectOf(told);
  if (part === undefined) return [told];
  const { functionCall, text, thoughtSignature } = part;
  if (functionCall !== undefined && functionCall !== null) {
    return [{ functionCall: callOf(functionCall), ...picked(part, ["thoughtSignature"]) }];
  }
  return text === undefined && thoughtSignature === undefined ? [] : [picked(part, PART)];
}

function callOf(told: unknown): unknown {
  const call = objectOf(told);
  return call === undefined ? told : picked(call, ["id", "name", "args"]);
}
