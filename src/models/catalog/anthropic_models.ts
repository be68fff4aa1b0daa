import { facts, type KnownModel, modelsOf, usd } from "./known_model.ts";

/**
 * Contexts and prices as in litellm 1.110.2 (`model_prices_and_context_window_backup.json`); cache
 * writes are those that are kept for an hour.
 */
export const ANTHROPIC_MODELS: readonly KnownModel[] = modelsOf("anthropic", {
  "claude-opus-5-5": facts(1_000_000, usd(4, 20, 0.2, 8)),
  "claude-sonnet-5-5": facts(1_000_000, usd(2, 10, 0.1, 4)),
  "claude-haiku-5-5": facts(1_000_000, usd(0.1, 0.5, 0.01, 0.2), {
    above: [100_000, usd(0.5, 2.5, 0.05, 1)],
  }),
  "claude-fable-5-1": facts(1_000_000, usd(10, 50, 0.25, 20)),
  "claude-fable-5": facts(1_000_000, usd(10, 50, 1, 20)),
  "claude-opus-5": facts(1_000_000, usd(5, 25, 0.5, 10)),
  "claude-sonnet-5": facts(1_000_000, usd(2, 10, 0.2, 4)),
  "claude-opus-4-8": facts(1_000_000, usd(5, 25, 0.5, 10)),
  "claude-opus-4-7": facts(1_000_000, usd(5, 25, 0.5, 10)),
  "claude-opus-4-6": facts(1_000_000, usd(5, 25, 0.5, 10)),
  "claude-sonnet-4-6": facts(1_000_000, usd(3, 15, 0.3, 6)),
  "claude-opus-4-5": facts(200_000, usd(5, 25, 0.5, 10)),
  "claude-haiku-4-5": facts(200_000, usd(1, 5, 0.1, 2)),
});
