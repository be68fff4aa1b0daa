import type { JSONValue } from "@ai-sdk/provider";
import type { ModelSpec } from "../model_spec.ts";
import type { CallRequest, OpenedModel, OpenOptions, Provider } from "../provider.ts";
import { chatEvents } from "../stream/chat_events.ts";
import { readableFetch } from "../stream/readable_fetch.ts";

/** What sets one OpenAI-compatible API apart from another. */
export interface Dialect {
  /** False: a message with `reasoning_content` is refused. */
  readonly takesReasoning?: boolean;
  headers?(request: CallRequest): Record<string, string>;
  /** Fields of the body besides the common ones. */
  body?(request: CallRequest, spec: ModelSpec): Record<string, JSONValue>;
}

/** A provider, but for how it is called. */
export type CompatibleProvider = Omit<Provider, "open"> & Dialect;

/** The package files its options under the name that it is given. */
const NAME = "compatible";

/** Whoever serves them: the templates of these models want roles to alternate. */
const MISTRAL_FAMILY = /mistral|ministral|mixtral|devstral|magistral|codestral|pixtral/i;

/** A provider whose API is OpenAI's Chat Completions. */
export function openaiCompatible(provider: CompatibleProvider): Provider {
  return { ...provider, open: (options) => openCompatible(options, provider) };
}

/** A model behind Chat Completions. */
export async function openCompatible(
  { name, spec, apiKey, baseUrl, isProxied, fetch }: OpenOptions,
  { takesReasoning = true, headers, body }: Dialect = {},
): Promise<OpenedModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const api = createOpenAICompatible({
    name: NAME,
    baseURL: baseUrl,
    ...(apiKey === "" ? {} : { apiKey }),
    includeUsage: true,
    fetch: readableFetch(fetch, chatEvents),
  });
  return {
    language: api.chatModel(name),
    rules: {
      reasoning: takesReasoning ? "reasoning_content" : "none",
      imagesInToolResults: false,
      answersToolResults: MISTRAL_FAMILY.test(name),
      argumentsAsText: true,
    },
    options: (request) => ({
      providerOptions: {
        [NAME]: {
          ...body?.(request, spec),
          ...effort(request, isProxied ? spec.extra_allowed_openai_params : []),
        },
      },
      headers: headers?.(request) ?? {},
    }),
  };
}

/** `allowed`: what a proxy of litellm's kind drops unless it is told to let it through. */
function effort({ reasoningEffort }: CallRequest, allowed: readonly string[]) {
  if (reasoningEffort === null) return {};
  return {
    reasoningEffort,
    ...(allowed.length === 0 ? {} : { allowed_openai_params: [...allowed] }),
  };
}

export const cerebras = openaiCompatible({
  prefix: "cerebras",
  displayName: "Cerebras",
  keyVariable: "CEREBRAS_API_KEY",
  baseUrl: "https://api.cerebras.ai/v1",
  takesReasoning: false,
});

export const deepseek = openaiCompatible({
  prefix: "deepseek",
  displayName: "DeepSeek",
  keyVariable: "DEEPSEEK_API_KEY",
  baseUrl: "https://api.deepseek.com/v1",
});

export const fireworksAi = openaiCompatible({
  prefix: "fireworks_ai",
  displayName: "Fireworks AI",
  keyVariable: "FIREWORKS_AI_API_KEY",
  baseUrl: "https://api.fireworks.ai/inference/v1",
  capacityStatus: 503,
  // Requests of one conversation meet the same cache.
  headers: ({ runId }) => ({ "x-session-affinity": runId }),
  body: ({ isPriority }) => isPriority ? { service_tier: "priority" } : {},
});

export const groq = openaiCompatible({
  prefix: "groq",
  displayName: "Groq",
  keyVariable: "GROQ_API_KEY",
  baseUrl: "https://api.groq.com/openai/v1",
  takesReasoning: false,
});

export const moonshot = openaiCompatible({
  prefix: "moonshot",
  displayName: "Moonshot AI",
  keyVariable: "MOONSHOT_API_KEY",
  baseUrl: "https://api.moonshot.ai/v1",
});

export const ollama = openaiCompatible({
  prefix: "ollama",
  displayName: "Ollama",
  keyVariable: null,
  baseUrl: "http://localhost:11434/v1",
});

export const openrouter = openaiCompatible({
  prefix: "openrouter",
  displayName: "OpenRouter",
  keyVariable: "OPENROUTER_API_KEY",
  baseUrl: "https://openrouter.ai/api/v1",
});

export const togetherAi = openaiCompatible({
  prefix: "together_ai",
  displayName: "Together AI",
  keyVariable: "TOGETHERAI_API_KEY",
  baseUrl: "https://api.together.xyz/v1",
  body: (_request, spec) =>
    spec.reasoning_request === "enabled" ? { reasoning: { enabled: true } } : {},
});

export const xai = openaiCompatible({
  prefix: "xai",
  displayName: "xAI",
  keyVariable: "XAI_API_KEY",
  baseUrl: "https://api.x.ai/v1",
  // Requests of one conversation meet the same cache.
  headers: ({ runId }) => ({ "x-grok-conv-id": runId }),
});

export const zai = openaiCompatible({
  prefix: "zai",
  displayName: "Z.ai",
  keyVariable: "ZAI_API_KEY",
  baseUrl: "https://api.z.ai/api/paas/v4",
});
