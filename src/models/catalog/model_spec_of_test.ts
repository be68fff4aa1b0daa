import { assert, assertEquals } from "@std/assert";
import { CATALOG, modelSpec } from "./model_spec_of.ts";
import { parseModelId } from "../model_id.ts";

const LOW_TO_HIGH = ["low", "medium", "high"];

Deno.test("modelSpec() of an unknown model says what runs by default", () => {
  assertEquals(modelSpec("acme/some-model-2"), {
    model: "acme/some-model-2",
    model_display_name: "Some Model 2",
    provider: "acme",
    provider_display_name: "acme",
    litellm_model: "acme/some-model-2",
    max_output_tokens: 64_000,
    min_reasoning_effort: null,
    max_reasoning_effort: null,
    reasoning_effort_levels: [],
    reasoning_request: null,
    supports_sampling_params: true,
    tool_call_repairs: [],
    requires_api_key: true,
    extra_allowed_openai_params: [],
    uses_responses_api: false,
    context_tokens: null,
    price: null,
  });
});

Deno.test("modelSpec() never fails", () => {
  for (const id of ["", "/", "a//b", "constructor/x", "__proto__/x", "\n", "claude", "pt/"]) {
    assertEquals(modelSpec(id).model, id);
    assertEquals(modelSpec(id).max_output_tokens, 64_000);
  }
});

Deno.test("modelSpec() knows the levels of a family, longer versions first", () => {
  const levels: Record<string, string[]> = {
    "anthropic/claude-opus-5": [...LOW_TO_HIGH, "xhigh", "max"],
    "claude-opus-5-5": [...LOW_TO_HIGH, "xhigh", "max"],
    "claude-sonnet-5": [...LOW_TO_HIGH, "xhigh", "max"],
    "claude-fable-5-1": [...LOW_TO_HIGH, "xhigh", "max"],
    "claude-opus-4-7": [...LOW_TO_HIGH, "xhigh", "max"],
    "claude-opus-4-6-20260205": [...LOW_TO_HIGH, "max"],
    "claude-sonnet-4-6": [...LOW_TO_HIGH, "max"],
    "openrouter/anthropic/claude-opus-4.6": [...LOW_TO_HIGH, "max"],
    "claude-opus-4-5": [],
    "claude-haiku-4-5": [],
    "openai/gpt-6.1-sol": [...LOW_TO_HIGH, "xhigh", "max"],
    "openai/gpt-5.6-terra": [...LOW_TO_HIGH, "xhigh", "max"],
    "openai/gpt-5.5": [...LOW_TO_HIGH, "xhigh"],
    "openai/gpt-5.4-mini": [...LOW_TO_HIGH, "xhigh"],
    "openai/gpt-5.3-codex": LOW_TO_HIGH,
    "openai/gpt-5.2": [...LOW_TO_HIGH, "xhigh"],
    "openai/gpt-5.1": LOW_TO_HIGH,
    "openai/gpt-5-mini": ["minimal", ...LOW_TO_HIGH],
    "openai/o3": LOW_TO_HIGH,
    "openai/o3-pro": [],
    "openai/gpt-4.1": [],
    "gemini/gemini-3.1-pro-preview": LOW_TO_HIGH,
    "gemini/gemini-3.1-pro-preview-customtools": [],
    "xai/grok-4.7": LOW_TO_HIGH,
    "meta/muse-spark-1.3": ["minimal", ...LOW_TO_HIGH, "xhigh"],
    "together_ai/moonshotai/Kimi-K3": ["low", "high", "max"],
    "mistral/mistral-large-4": [],
  };
  for (const [id, expected] of Object.entries(levels)) {
    const spec = modelSpec(id);
    assertEquals([id, spec.reasoning_effort_levels], [id, expected]);
    assertEquals(spec.min_reasoning_effort, expected[0] ?? null);
    assertEquals(spec.max_reasoning_effort, expected.at(-1) ?? null);
  }
});

Deno.test("modelSpec() knows how long a response may be", () => {
  const ceilings: Record<string, number> = {
    "claude-opus-5": 128_000,
    "claude-fable-5": 128_000,
    "claude-sonnet-4-6": 128_000,
    "claude-opus-4-5": 64_000,
    "openai/gpt-6-sol": 128_000,
    "openai/gpt-5.6": 128_000,
    "openai/gpt-5.5": 64_000,
    "meta/muse-spark-1.3": 128_000,
    "meta/muse-spark-1.2": 64_000,
    // These refuse more than they can give.
    "openai/gpt-4o": 16_384,
    "openai/gpt-4o-2024-11-20": 16_384,
    "openai/gpt-4.1-mini": 32_768,
  };
  for (const [id, expected] of Object.entries(ceilings)) {
    assertEquals([id, modelSpec(id).max_output_tokens], [id, expected]);
  }
});

Deno.test("modelSpec() knows how to ask for reasoning", () => {
  const requests: Record<string, string | null> = {
    "claude-opus-5": "adaptive_thinking",
    "claude-sonnet-4-6": "adaptive_thinking",
    "claude-opus-4-5": null,
    "openai/gpt-6-sol": "detailed_summary",
    "openai/gpt-5.6": "detailed_summary",
    "openai/gpt-5.5": null,
    "meta/muse-spark-1.1": "detailed_summary",
    "gemini/gemini-3.8-flash": "include_thoughts",
    "gemini/gemini-3-new": "include_thoughts",
    "gemini/gemini-2.5-pro": null,
    "together_ai/moonshotai/Kimi-K2.6": "enabled",
    "fireworks_ai/accounts/fireworks/models/kimi-k3": null,
  };
  for (const [id, expected] of Object.entries(requests)) {
    assertEquals([id, modelSpec(id).reasoning_request], [id, expected]);
  }
});

Deno.test("modelSpec() knows which models refuse sampling parameters", () => {
  const refusing = [
    ...["claude-fable-5", "claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5"],
    ...["openai/gpt-6-luna", "openai/gpt-5.5", "openai/o3", "gemini/gemini-3.8-flash"],
  ];
  for (const id of refusing) {
    assertEquals([id, modelSpec(id).supports_sampling_params], [id, false]);
  }
  for (const id of ["claude-opus-4-6", "claude-haiku-4-5", "openai/gpt-4.1", "xai/grok-4.7"]) {
    assertEquals([id, modelSpec(id).supports_sampling_params], [id, true]);
  }
});

Deno.test("modelSpec() names a model as litellm does", () => {
  const names: Record<string, [name: string, responses: boolean]> = {
    "claude-opus-5": ["anthropic/claude-opus-5", false],
    "anthropic/claude-opus-5": ["anthropic/claude-opus-5", false],
    "openai/gpt-6-sol": ["openai/responses/gpt-6-sol", true],
    "openai/responses/gpt-6-sol": ["openai/responses/gpt-6-sol", true],
    "openai/responses/gpt-5": ["openai/responses/gpt-5", true],
    "openai/gpt-5.6": ["openai/gpt-5.6", false],
    "meta/muse-spark-1.3": ["meta/responses/muse-spark-1.3", true],
    "azure/gpt-6-sol": ["azure/gpt-6-sol", false],
    "gpt-6-sol": ["gpt-6-sol", false],
  };
  for (const [id, [name, responses]] of Object.entries(names)) {
    const spec = modelSpec(id);
    assertEquals([id, spec.litellm_model, spec.uses_responses_api], [id, name, responses]);
  }
});

Deno.test("modelSpec() knows repairs, keys and parameters that a proxy must let through", () => {
  assertEquals(modelSpec("together_ai/deepseek-ai/DeepSeek-V4.1-Flash").tool_call_repairs, [
    "special_tokens",
  ]);
  assertEquals(modelSpec("xai/grok-4.7").tool_call_repairs, ["double_encoding", "path_debris"]);
  assertEquals(modelSpec("openrouter/xai/grok-4.7").tool_call_repairs, []);
  for (const id of ["vertex_ai/gemini-3-flash", "pt/x", "__karotte_special__/training"]) {
    assertEquals([id, modelSpec(id).requires_api_key], [id, false]);
  }
  assertEquals(modelSpec("ollama/qwen3:8b").requires_api_key, false);
  assertEquals(modelSpec("gpt-5").requires_api_key, true);
  assertEquals(modelSpec("groq/openai/gpt-oss-120b").extra_allowed_openai_params, [
    "reasoning_effort",
  ]);
  assertEquals(modelSpec("openai/gpt-5.5").extra_allowed_openai_params, []);
});

Deno.test("modelSpec() prices releases of a model, and no other model of a like name", () => {
  const price = modelSpec("anthropic/claude-haiku-4-5").price;
  assertEquals(price, {
    ...{ input: 1, output: 5, cache_read: 0.1, cache_write: 2 },
    long_input: null,
  });
  for (const id of ["claude-haiku-4-5-20251001", "anthropic/claude-haiku-4-5-latest"]) {
    assertEquals([id, modelSpec(id).price], [id, price]);
    assertEquals([id, modelSpec(id).context_tokens], [id, 200_000]);
  }
  assertEquals(modelSpec("openai/responses/gpt-5").price, modelSpec("openai/gpt-5").price);
  for (const id of ["openai/gpt-5-pro", "openrouter/anthropic/claude-haiku-4-5", "gpt-5"]) {
    assertEquals([id, modelSpec(id).price], [id, null]);
  }
});

Deno.test("each model of the catalog has an id, a name and facts that can be true", () => {
  assertEquals(new Set(CATALOG).size, CATALOG.length);
  for (const id of CATALOG) {
    const spec = modelSpec(id);
    assertEquals(parseModelId(id).provider, spec.provider);
    assert(spec.model_display_name !== "" && spec.provider_display_name !== spec.provider, id);
    const { context_tokens: context, price } = spec;
    assert(context !== null && context > spec.max_output_tokens, id);
    assert(price !== null, id);
    for (const { input, output, cache_read } of [price, price.long_input ?? price]) {
      assert(0 < input && input <= output && 0 < cache_read && cache_read <= input, id);
    }
    assert(price.long_input === null || price.long_input.above_tokens < context, id);
  }
});
