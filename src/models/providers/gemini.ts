import type { GoogleLanguageModelOptions } from "@ai-sdk/google";
import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { ModelSpec } from "../model_spec.ts";
import type { PromptRules, Provider } from "../provider.ts";
import { openCompatible } from "./openai_compatible.ts";
import { geminiEvents } from "../stream/gemini_events.ts";
import { readableFetch } from "../stream/readable_fetch.ts";

type ThinkingConfig = NonNullable<GoogleLanguageModelOptions["thinkingConfig"]>;

const RULES: PromptRules = {
  reasoning: "thought_signatures",
  imagesInToolResults: true,
  answersToolResults: false,
  argumentsAsText: false,
};

/** Before Gemini 3 it is a number of tokens; Google's own OpenAI-compatible API takes these. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
};

export const gemini: Provider = {
  prefix: "gemini",
  displayName: "Google",
  keyVariable: "GEMINI_API_KEY",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  async open(options) {
    if (options.isProxied) return await openCompatible(options);
    const { name, spec, apiKey, baseUrl, fetch } = options;
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    // Gemini gives calls no ids. An empty one is replaced by one that is the same in each replay.
    const generateId = () => "";
    return {
      language: createGoogleGenerativeAI({
        apiKey,
        baseURL: baseUrl,
        fetch: readableFetch(fetch, geminiEvents),
        generateId,
      })(name),
      rules: RULES,
      options: ({ reasoningEffort }) => {
        const thinkingConfig = thinking(spec, reasoningEffort);
        if (thinkingConfig === undefined) return {};
        // It is JSON throughout; the type names members that may be undefined.
        return { providerOptions: { google: { thinkingConfig } } as SharedV3ProviderOptions };
      },
    };
  },
};

function thinking(
  { model, reasoning_request: request }: ModelSpec,
  effort: string | null,
): ThinkingConfig | undefined {
  if (effort === null) {
    return request === "include_thoughts" ? { includeThoughts: true } : undefined;
  }
  const budget = BUDGETS[effort];
  if (/\bgemini-2/.test(model) && budget !== undefined) {
    return { thinkingBudget: budget, includeThoughts: true };
  }
  // The package refuses a level that it doesn't know, before anything is sent.
  const thinkingLevel = effort as NonNullable<ThinkingConfig["thinkingLevel"]>;
  return { thinkingLevel, includeThoughts: true };
}
