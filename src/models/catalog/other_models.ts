import { facts, type KnownModel, modelsOf, usd } from "./known_model.ts";

/**
 * Of providers with few models each. Contexts and prices as in litellm 1.110.2
 * (`model_prices_and_context_window_backup.json`).
 */
export const OTHER_MODELS: readonly KnownModel[] = [
  ...modelsOf("xai", {
    "grok-4.7": facts(500_000, usd(2, 6, 0.5), { above: [200_000, usd(4, 12, 1)] }),
    "grok-4.6": facts(500_000, usd(2, 6, 0.5), { above: [200_000, usd(4, 12, 1)] }),
    "grok-4.5": facts(500_000, usd(2, 6, 0.3), { above: [200_000, usd(4, 12, 0.6)] }),
    "grok-4.3": facts(1_000_000, usd(1.25, 2.5, 0.2), { above: [200_000, usd(2.5, 5, 0.4)] }),
    "grok-build-0.1": facts(256_000, usd(1, 2, 0.2), { above: [200_000, usd(2, 4, 0.4)] }),
  }),
  ...modelsOf("mistral", {
    "mistral-large-4": facts(1_048_576, usd(0.7, 2.1, 0.07)),
    "mistral-medium-latest": facts(262_144, usd(1.5, 7.5, 0.15)),
    "mistral-small-latest": facts(262_144, usd(0.15, 0.6, 0.015)),
    "devstral-latest": facts(256_000, usd(0.4, 2, 0.04)),
    "codestral-latest": facts(128_000, usd(0.3, 0.9, 0.03)),
  }),
  ...modelsOf("meta", {
    "muse-spark-1.3": facts(1_048_576, usd(1.25, 4.25, 0.15)),
    "muse-spark-1.2": facts(1_048_576, usd(1.25, 4.25, 0.15)),
  }),
  ...modelsOf("deepseek", {
    "deepseek-v4-pro": facts(1_000_000, usd(1.32, 3.96, 0.044)),
    "deepseek-v4-flash": facts(1_000_000, usd(0.3, 1.2, 0.006)),
  }),
  ...modelsOf("moonshot", {
    "kimi-k3.1-pro": facts(1_048_576, usd(2, 10, 0.2)),
    "kimi-k3": facts(1_048_576, usd(3, 15, 0.3)),
  }),
  ...modelsOf("zai", {
    "glm-5.3": facts(1_000_000, usd(1.4, 4.4, 0.26)),
    "glm-5.2": facts(1_000_000, usd(1.4, 4.4, 0.26)),
  }),
  ...modelsOf("together_ai", {
    "moonshotai/Kimi-K3.1-Pro": facts(1_048_576, usd(2, 10, 0.2)),
    "moonshotai/Kimi-K3": facts(1_048_576, usd(3, 15, 0.3)),
    "zai-org/GLM-5.3": facts(1_048_575, usd(1.4, 4.4, 0.26)),
    "deepseek-ai/DeepSeek-V4.1-Flash": facts(1_048_576, usd(0.3, 1.2, 0.006)),
    "openai/gpt-oss-120b": facts(131_072, usd(0.15, 0.6)),
  }),
  ...modelsOf("fireworks_ai", {
    "accounts/fireworks/models/kimi-k3": facts(1_048_576, usd(3, 15, 0.3)),
    "accounts/fireworks/models/glm-5p3": facts(1_048_576, usd(1.4, 4.4, 0.26)),
    "accounts/fireworks/models/deepseek-v4p1-flash": facts(1_048_576, usd(0.3, 1.2, 0.006)),
  }),
  ...modelsOf("groq", {
    "openai/gpt-oss-120b": facts(131_072, usd(0.15, 0.6, 0.075)),
    "openai/gpt-oss-20b": facts(131_072, usd(0.075, 0.3, 0.0375)),
  }),
];
