import { facts, type KnownModel, modelsOf, usd } from "./known_model.ts";

/** Contexts and prices as in litellm 1.110.2 (`model_prices_and_context_window_backup.json`). */
export const GOOGLE_MODELS: readonly KnownModel[] = modelsOf("gemini", {
  "gemini-4-argon": facts(1_048_576, usd(2, 10, 0.1)),
  "gemini-4-hydrogen": facts(1_048_576, usd(1.5, 7.5, 0.075)),
  "gemini-3.8-flash": facts(1_048_576, usd(0.75, 3.75, 0.075)),
  "gemini-3.5-flash-lite": facts(1_048_576, usd(0.3, 2.5, 0.03)),
  "gemini-3.1-pro-preview": facts(1_048_576, usd(2, 12, 0.2), {
    above: [200_000, usd(4, 18, 0.4)],
  }),
  "gemini-3.1-flash-lite": facts(1_048_576, usd(0.25, 1.5, 0.025)),
  "gemini-3-flash-preview": facts(1_048_576, usd(0.5, 3, 0.05)),
});
