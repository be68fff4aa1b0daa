import type { TokenPrice } from "../model_spec.ts";
import { facts, type KnownModel, modelsOf, usd } from "./known_model.ts";

/** Contexts and prices as in litellm 1.110.2 (`model_prices_and_context_window_backup.json`). */
export const OPENAI_MODELS: readonly KnownModel[] = modelsOf("openai", {
  "gpt-6.1-sol": facts(922_000, usd(2, 10, 0.1, 2.5), dearer(usd(4, 15, 0.2, 5))),
  "gpt-6.1-terra": facts(922_000, usd(1, 5, 0.05, 1.25), dearer(usd(2, 7.5, 0.1, 2.5))),
  "gpt-6-astra": facts(922_000, usd(10, 50, 1, 12.5), dearer(usd(20, 75, 2, 25))),
  "gpt-6-sol": facts(922_000, usd(2, 10, 0.2, 2.5), dearer(usd(4, 15, 0.4, 5))),
  "gpt-6-luna": facts(922_000, usd(0.1, 0.5, 0.01, 0.125), dearer(usd(0.2, 0.75, 0.02, 0.25))),
  "gpt-5.6": facts(922_000, usd(4, 20, 0.4, 5), dearer(usd(8, 30, 0.8, 10))),
  "gpt-5.6-sol": facts(922_000, usd(4, 20, 0.4, 5), dearer(usd(8, 30, 0.8, 10))),
  "gpt-5.6-terra": facts(922_000, usd(2, 12, 0.2, 2.5), dearer(usd(4, 18, 0.4, 5))),
  "gpt-5.6-luna": facts(922_000, usd(0.2, 1.2, 0.02, 0.25), dearer(usd(0.4, 1.8, 0.04, 0.5))),
  "gpt-5.5": facts(1_050_000, usd(5, 30, 0.5), dearer(usd(10, 45, 1))),
  "gpt-5.4": facts(1_050_000, usd(2.5, 15, 0.25), dearer(usd(5, 22.5, 0.5))),
  "gpt-5.4-mini": facts(272_000, usd(0.75, 4.5, 0.075)),
  "gpt-5.3-codex": facts(272_000, usd(1.75, 14, 0.175)),
  "gpt-5.2": facts(272_000, usd(1.75, 14, 0.175)),
  "gpt-5.1": facts(272_000, usd(1.25, 10, 0.125)),
  "gpt-5": facts(272_000, usd(1.25, 10, 0.125)),
  "gpt-5-mini": facts(272_000, usd(0.25, 2, 0.025)),
  "o3": facts(200_000, usd(2, 8, 0.5)),
  "gpt-4.1": facts(1_047_576, usd(2, 8, 0.5), { maxOutputTokens: 32_768 }),
  "gpt-4.1-mini": facts(1_047_576, usd(0.4, 1.6, 0.1), { maxOutputTokens: 32_768 }),
  "gpt-4o": facts(128_000, usd(2.5, 10, 1.25), { maxOutputTokens: 16_384 }),
  "gpt-4o-mini": facts(128_000, usd(0.15, 0.6, 0.075), { maxOutputTokens: 16_384 }),
});

function dearer(price: TokenPrice): { above: [number, TokenPrice] } {
  return { above: [272_000, price] };
}
