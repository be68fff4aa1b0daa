import type { AnthropicLanguageModelOptions } from "@ai-sdk/anthropic";
import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { CallRequest, PromptRules, Provider } from "../provider.ts";
import { fitClaudeCallId } from "../renaming.ts";
import { anthropicEvents } from "../stream/anthropic_events.ts";
import { readableFetch } from "../stream/readable_fetch.ts";

const RULES: PromptRules = {
  reasoning: "thinking_blocks",
  imagesInToolResults: true,
  answersToolResults: false,
  argumentsAsText: false,
  fitCallId: fitClaudeCallId,
};

const CACHE_MARK: SharedV3ProviderOptions = {
  anthropic: { cacheControl: { type: "ephemeral", ttl: "1h" } },
};

export const anthropic: Provider = {
  prefix: "anthropic",
  displayName: "Anthropic",
  keyVariable: "ANTHROPIC_API_KEY",
  baseUrl: "https://api.anthropic.com/v1",
  async open({ name, spec, apiKey, baseUrl, fetch }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return {
      language: createAnthropic({
        apiKey,
        baseURL: baseUrl,
        fetch: readableFetch(fetch, anthropicEvents),
      })(name),
      rules: RULES,
      options: (request) => {
        const options: AnthropicLanguageModelOptions = {
          // Arguments that come unchecked as they are made gain nothing: a turn is awaited whole.
          toolStreaming: false,
          ...(spec.reasoning_request === "adaptive_thinking"
            ? { thinking: { type: "adaptive", display: "summarized" } }
            : {}),
          ...(request.reasoningEffort === null ? {} : { effort: effortOf(request) }),
        };
        return {
          // It is JSON throughout; the type names members that may be undefined.
          providerOptions: { anthropic: options } as SharedV3ProviderOptions,
          ...(isLoneQuestion(request) ? {} : { lastMessage: CACHE_MARK }),
        };
      },
    };
  },
};

/** The package refuses a level that it doesn't know, before anything is sent. */
function effortOf({ reasoningEffort }: CallRequest) {
  return reasoningEffort as AnthropicLanguageModelOptions["effort"];
}

/** A judge's: no later request begins like it, and what a cache keeps costs twice as much. */
function isLoneQuestion({ messages, tools }: CallRequest): boolean {
  return tools.length === 0 && messages.length === 1;
}
