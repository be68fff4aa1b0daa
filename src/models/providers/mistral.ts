import type { PromptRules, Provider } from "../provider.ts";
import { fitMistralCallId } from "../renaming.ts";
import { openCompatible } from "./openai_compatible.ts";
import { mistralEvents } from "../stream/chat_events.ts";
import { readableFetch } from "../stream/readable_fetch.ts";

const RULES: PromptRules = {
  reasoning: "reasoning_content",
  imagesInToolResults: false,
  answersToolResults: true,
  argumentsAsText: false,
  fitCallId: fitMistralCallId,
};

export const mistral: Provider = {
  prefix: "mistral",
  displayName: "Mistral",
  keyVariable: "MISTRAL_API_KEY",
  baseUrl: "https://api.mistral.ai/v1",
  async open(options) {
    if (options.isProxied) return await openCompatible(options, { takesReasoning: false });
    const { name, apiKey, baseUrl, fetch } = options;
    const { createMistral } = await import("@ai-sdk/mistral");
    return {
      language: createMistral({
        apiKey,
        baseURL: baseUrl,
        fetch: readableFetch(fetch, mistralEvents),
      })(name),
      rules: RULES,
      options: ({ reasoningEffort }) =>
        reasoningEffort === null ? {} : { providerOptions: { mistral: { reasoningEffort } } },
    };
  },
};
