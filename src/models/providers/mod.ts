import type { Provider } from "../provider.ts";
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
import { vertexAi } from "./vertex_ai.ts";

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

/** The provider of models whose ids begin with the prefix; undefined if there is none. */
export function providerOf(prefix: string): Provider | undefined {
  return [...PROVIDERS, vertexAi].find((provider) => provider.prefix === prefix);
}
