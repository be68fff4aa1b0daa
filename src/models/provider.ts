import type { LanguageModelV3, SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "./model.ts";
import type { ModelSpec } from "./model_spec.ts";

/** The names of a provider, and of the variable that holds its key. */
export interface ProviderName {
  /** The part of its models' ids before the slash. */
  readonly prefix: string;
  readonly displayName: string;
  /** The variable that its key is looked up in; null: it needs none. */
  readonly keyVariable: string | null;
}

/** A provider whose models can be called: a file in `providers/`, listed in `providers/mod.ts`. */
export interface Provider extends ProviderName {
  /** The root of its API. */
  readonly baseUrl: string;
  /** The status that tells of no capacity, where a call of priority gets it; absent: none does. */
  readonly capacityStatus?: number;
  /** Loads the package that calls it, at the first call only. */
  open(options: OpenOptions): Promise<OpenedModel>;
}

/** What a provider opens a model with. */
export interface OpenOptions {
  /** The model, as the provider calls it. */
  readonly name: string;
  readonly spec: ModelSpec;
  /** Empty for a provider that needs none. */
  readonly apiKey: string;
  /** The root of the API: the provider's own, or a proxy's. */
  readonly baseUrl: string;
  /** A proxy speaks Anthropic's Messages and OpenAI's two APIs, for whatever model. */
  readonly isProxied: boolean;
  readonly fetch: typeof fetch;
}

/** A model behind the interface that all packages share, and what its provider wants besides. */
export interface OpenedModel {
  readonly language: LanguageModelV3;
  readonly rules: PromptRules;
  options(request: CallRequest): CallExtras;
}

/** A request as the provider's own options are made of it. */
export interface CallRequest extends ModelRequest {
  /** Served before others, for more money, where the provider has that. */
  readonly isPriority: boolean;
}

/** What goes along with a call. */
export interface CallExtras {
  readonly providerOptions?: SharedV3ProviderOptions;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the conversation's last message: marks for prompt caches. */
  readonly lastMessage?: SharedV3ProviderOptions;
}

/** What an API asks of the conversation that it is sent. */
export interface PromptRules {
  readonly reasoning: ReasoningReturn;
  /** Whether tool results may hold images; else a user message shows them. */
  readonly imagesInToolResults: boolean;
  /** Tool results are followed by the assistant's word before a user's message may come. */
  readonly answersToolResults: boolean;
  /**
   * Whether the text of arguments is sent as the model wrote it; else the value that it stands for.
   */
  readonly argumentsAsText: boolean;
  /**
   * What becomes of a call's id; a later attempt gives another one. Absent: it is sent as it is.
   */
  readonly fitCallId?: (id: string, attempt: number) => string;
}

/** In which form the reasoning of earlier turns goes back. */
export type ReasoningReturn =
  /** Claude's blocks, with their signatures. */
  | "thinking_blocks"
  /** OpenAI's items, encrypted. */
  | "reasoning_items"
  /** Gemini's signatures, on the parts that they came with. */
  | "thought_signatures"
  /** The text. */
  | "reasoning_content"
  | "none";
