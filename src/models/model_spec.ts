/** How a model is asked to show its reasoning. */
export type ReasoningRequest =
  /** Anthropic: `thinking` of type `adaptive`, displayed summarised. */
  | "adaptive_thinking"
  /** Gemini: include thoughts; left out when an effort is sent. */
  | "include_thoughts"
  /** OpenAI Responses: a detailed summary of the reasoning. */
  | "detailed_summary"
  /** Together AI: `reasoning.enabled` in the body. */
  | "enabled";

/** What a model is known to get wrong in the arguments of tool calls. */
export type ToolCallRepair =
  /** Special tokens of its chat template stand in the text. */
  | "special_tokens"
  /** Every text argument is JSON once more. */
  | "double_encoding"
  /** Quotes and separators stand before a lone absolute path. */
  | "path_debris";

/** USD per million tokens. What the provider doesn't price apart costs what `input` does. */
export interface TokenPrice {
  /** Input that no cache had a part in. */
  readonly input: number;
  /** Reasoning is output. */
  readonly output: number;
  readonly cache_read: number;
  /** Of the kind that Karotte asks for: kept for an hour at Anthropic. */
  readonly cache_write: number;
}

/** What a model's tokens cost. */
export interface ModelPrice extends TokenPrice {
  /** What a whole call costs whose input, cached or not, is longer; null: the same. */
  readonly long_input: TokenPrice & { readonly above_tokens: number } | null;
}

/** What is known of a model. JSON in `karotte models list --json`, hence the names. */
export interface ModelSpec {
  /** As the run config names it. */
  readonly model: string;
  readonly model_display_name: string;
  /** Empty for a bare name that is no Claude. */
  readonly provider: string;
  readonly provider_display_name: string;
  /** What litellm, and a proxy of its kind, calls it. */
  readonly litellm_model: string;
  /** Most tokens of one response, reasoning included. */
  readonly max_output_tokens: number;
  /** The first of the levels; null without any. */
  readonly min_reasoning_effort: string | null;
  /** The last of the levels; null without any. */
  readonly max_reasoning_effort: string | null;
  /** From lowest to highest, by the provider's names; empty: the effort can't be set. */
  readonly reasoning_effort_levels: readonly string[];
  /** Null: nothing is asked. */
  readonly reasoning_request: ReasoningRequest | null;
  /** False: temperature and the like are refused. */
  readonly supports_sampling_params: boolean;
  readonly tool_call_repairs: readonly ToolCallRepair[];
  readonly requires_api_key: boolean;
  /** Parameters that a proxy of litellm's kind must let through although it doesn't know them. */
  readonly extra_allowed_openai_params: readonly string[];
  /** It is called by the Responses API, also through a proxy. */
  readonly uses_responses_api: boolean;
  /** Most tokens of input, or of input and output, as the provider counts; null: not known. */
  readonly context_tokens: number | null;
  /** Null: not known. */
  readonly price: ModelPrice | null;
}
