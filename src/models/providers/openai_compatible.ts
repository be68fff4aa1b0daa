import type { JSONValue } from "@ai-sdk/provider";
import type { ModelSpec } from "../model_spec.ts";
import type { CallRequest, OpenedModel, OpenOptions, Provider } from "../provider.ts";

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
    fetch,
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
