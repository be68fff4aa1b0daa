import { ANTHROPIC_MODELS } from "./anthropic_models.ts";
import { behaviourOf, DEFAULT_MAX_OUTPUT_TOKENS } from "./behaviour.ts";
import { displayName } from "./display_name.ts";
import { GOOGLE_MODELS } from "./google_models.ts";
import type { KnownModel } from "./known_model.ts";
import { OPENAI_MODELS } from "./openai_models.ts";
import { OTHER_MODELS } from "./other_models.ts";
import { keyVariableOf } from "../key_variable.ts";
import { providerOf } from "../providers/mod.ts";
import { type ModelId, RESPONSES_INFIX, splitModelId, takesResponsesInfix } from "../model_id.ts";
import type { ModelSpec, ReasoningRequest, ToolCallRepair } from "../model_spec.ts";

const KNOWN: readonly KnownModel[] = [
  ...ANTHROPIC_MODELS,
  ...OPENAI_MODELS,
  ...GOOGLE_MODELS,
  ...OTHER_MODELS,
];

/** Ids of the models that are listed; the first is what a picker starts with. */
export const CATALOG: readonly string[] = KNOWN.map(({ model }) => model);

/** A model of the same name and price: its release of a day, or an alias. */
const VERSION = /^[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest|default)$/;

/**
 * What is known of a model. Any text gives a spec: an unknown model has 64000 tokens of output, no
 * levels, and neither context nor price.
 */
export function modelSpec(id: string): ModelSpec {
  const parts = splitModelId(id);
  const { provider, name } = parts;
  const behaviour = behaviourOf(name);
  const known = knownModel(parts);
  const levels = behaviour.levels ?? [];
  const usesResponsesApi = isCalledByResponses(parts);
  return {
    model: id,
    model_display_name: displayName(name),
    provider,
    provider_display_name: providerOf(provider)?.displayName ?? provider,
    litellm_model: litellmModel(parts, usesResponsesApi),
    max_output_tokens: Math.min(
      behaviour.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
      known?.maxOutputTokens ?? Infinity,
    ),
    min_reasoning_effort: levels[0] ?? null,
    max_reasoning_effort: levels.at(-1) ?? null,
    reasoning_effort_levels: levels,
    reasoning_request: behaviour.reasoningRequest ?? requestOf(parts),
    supports_sampling_params: !behaviour.refusesSampling,
    tool_call_repairs: repairsOf(parts),
    requires_api_key: keyVariableOf(id) !== null,
    extra_allowed_openai_params: levels.length > 0 && !hasOwnApi(provider)
      ? ["reasoning_effort"]
      : [],
    uses_responses_api: usesResponsesApi,
    context_tokens: known?.contextTokens ?? null,
    price: known?.price ?? null,
  };
}

function knownModel({ provider, name }: ModelId): KnownModel | undefined {
  const wanted = `${provider}/${name}`;
  return KNOWN.find(({ model }) =>
    wanted === model || wanted.startsWith(model) && VERSION.test(wanted.slice(model.length))
  );
}

function litellmModel({ id, provider, name }: ModelId, usesResponsesApi: boolean): string {
  if (usesResponsesApi) return `${provider}/${RESPONSES_INFIX}${name}`;
  return provider === "" || id.includes("/") ? id : `${provider}/${name}`;
}

function isCalledByResponses({ id, provider, name }: ModelId): boolean {
  if (!takesResponsesInfix(provider)) return false;
  return id !== `${provider}/${name}` || /^(gpt-6|muse-spark)/.test(name);
}

function requestOf({ provider, name }: ModelId): ReasoningRequest | null {
  return provider === "together_ai" && /(^|\/)kimi-k/i.test(name) ? "enabled" : null;
}

function repairsOf({ id, provider }: ModelId): ToolCallRepair[] {
  if (/deepseek/i.test(id)) return ["special_tokens"];
  return provider === "xai" ? ["double_encoding", "path_debris"] : [];
}

/** A proxy knows the parameters of those that it was written for. */
function hasOwnApi(provider: string): boolean {
  return ["anthropic", "openai", "gemini", "vertex_ai"].includes(provider);
}
