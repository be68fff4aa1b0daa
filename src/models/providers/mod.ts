import type { Provider, ProviderName } from "../provider.ts";
import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { meta } from "./meta.ts";
import { mistral } from "./mistral.ts";
import { openai } from "./openai.ts";
import {
  cerebras,
  deepseek,
  fireworksAi,
  groq,
  moonshot,
  ollama,
  openrouter,
  togetherAi,
  xai,
  zai,
} from "./openai_compatible.ts";

/** All that models can be called at without a proxy. Importing this loads no package. */
export const PROVIDERS: readonly Provider[] = [
  anthropic,
  openai,
  gemini,
  mistral,
  xai,
  togetherAi,
  fireworksAi,
  openrouter,
  deepseek,
  moonshot,
  zai,
  meta,
  groq,
  cerebras,
  ollama,
];

/** A provider that is known by name only: its models are refused wherever they would be called. */
export const VERTEX_AI: ProviderName = {
  prefix: "vertex_ai",
  displayName: "Vertex AI",
  keyVariable: null,
};

/** Returns the name of the provider whose models' ids begin with the prefix, if one is known. */
export function providerOf(prefix: string): ProviderName | undefined {
  return [...PROVIDERS, VERTEX_AI].find((provider) => provider.prefix === prefix);
}
