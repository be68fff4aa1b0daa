import type { ModelPrice, TokenPrice } from "../model_spec.ts";

/** Facts about one model at one provider. */
export interface KnownModel {
  /** `provider/name`. */
  readonly model: string;
  readonly contextTokens: number;
  readonly price: ModelPrice;
  /** Only where it is less than what is asked for by default. */
  readonly maxOutputTokens?: number;
}

type Details = Omit<KnownModel, "model">;

/** The models of one provider, by the names that it gives them. */
export function modelsOf(provider: string, models: Record<string, Details>): KnownModel[] {
  return Object.entries(models).map(([name, details]) => ({
    model: `${provider}/${name}`,
    ...details,
  }));
}

/** A context in tokens with a price, and another price for input above so many tokens. */
export function facts(
  contextTokens: number,
  price: TokenPrice,
  more: { above?: [tokens: number, price: TokenPrice]; maxOutputTokens?: number } = {},
): Details {
  const { above, ...rest } = more;
  const long_input = above ? { above_tokens: above[0], ...above[1] } : null;
  return { contextTokens, price: { ...price, long_input }, ...rest };
}

/** USD per million tokens; without a price of their own, cache reads and writes are plain input. */
export function usd(
  input: number,
  output: number,
  cacheRead: number = input,
  cacheWrite: number = input,
): TokenPrice {
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite };
}
