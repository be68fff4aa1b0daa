import type { OpenAILanguageModelResponsesOptions } from "@ai-sdk/openai";
import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { OpenedModel, OpenOptions } from "../provider.ts";
import { responsesEvents } from "../stream/responses_events.ts";
import { readableFetch } from "../stream/readable_fetch.ts";

/** A model behind OpenAI's Responses, which keep nothing: the conversation is always sent whole. */
export async function openResponses(
  { name, spec, apiKey, baseUrl, fetch }: OpenOptions,
): Promise<OpenedModel> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const reasons = spec.reasoning_effort_levels.length > 0 || spec.reasoning_request !== null;
  return {
    language: createOpenAI({
      apiKey,
      baseURL: baseUrl,
      fetch: readableFetch(fetch, responsesEvents),
    }).responses(name),
    rules: {
      reasoning: "reasoning_items",
      imagesInToolResults: true,
      answersToolResults: false,
      argumentsAsText: true,
    },
    options: ({ runId, reasoningEffort }) => {
      const options: OpenAILanguageModelResponsesOptions = {
        store: false,
        promptCacheKey: runId,
        // The package knows OpenAI's names only. Reasoning is sent encrypted then.
        ...(reasons ? { forceReasoning: true } : {}),
        ...(reasoningEffort === null ? {} : { reasoningEffort }),
        ...(spec.reasoning_request === "detailed_summary" ? { reasoningSummary: "detailed" } : {}),
      };
      // It is JSON throughout; the type names members that may be undefined.
      return { providerOptions: { openai: options } as SharedV3ProviderOptions };
    },
  };
}
