import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Usage } from "../protocol/turn.ts";

/** Where the dialects tell what was read from a cache, and what was written to it. */
const CACHE_READ = [
  "cache_read_input_tokens",
  "prompt_tokens_details.cached_tokens",
  "input_tokens_details.cached_tokens",
  "cachedContentTokenCount",
  "prompt_cache_hit_tokens",
  "num_cached_tokens",
  "cached_tokens",
];
const CACHE_WRITE = [
  "cache_creation_input_tokens",
  "prompt_tokens_details.cache_write_tokens",
  "prompt_tokens_details.cache_creation_tokens",
  "input_tokens_details.cache_write_tokens",
];

/**
 * What a turn used; null if the provider doesn't say. `input_tokens` is the whole input, of which
 * what was read from a cache and what was written to it are parts that don't overlap; either is
 * null if the provider doesn't tell, which packages take for 0.
 */
export function usageOf(usage: LanguageModelV3Usage, serviceTier: string | null): Usage | null {
  const input = usage.inputTokens.total;
  const output = usage.outputTokens.total;
  // No turn is without input: that is a package's word for nothing.
  if (!input && !output) return null;
  return {
    input_tokens: count(input ?? 0),
    output_tokens: count(output ?? 0),
    cache_read_tokens: told(usage.raw, CACHE_READ),
    cache_write_tokens: told(usage.raw, CACHE_WRITE),
    estimated: false,
    service_tier: serviceTier,
  };
}

function told(raw: unknown, places: readonly string[]): number | null {
  for (const place of places) {
    const value = place.split(".").reduce(member, raw);
    if (typeof value === "number") return count(value);
  }
  return null;
}

/** Whole tokens: some servers tell of halves, or of fewer than none. */
function count(told: number): number {
  return Math.min(Math.max(Math.round(told), 0), Number.MAX_SAFE_INTEGER);
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  // It is an object; a member may be missing.
  return (value as Record<string, unknown>)[name];
}
