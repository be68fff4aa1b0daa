import type { Provider } from "../provider.ts";
import { anthropic } from "./anthropic.ts";
import { cerebras } from "./cerebras.ts";
import { deepseek } from "./deepseek.ts";
import { fireworksAi } from "./fireworks_ai.ts";
import { gemini } from "./gemini.ts";
import { groq } from "./groq.ts";
import { meta } from "./meta.ts";
import { mistral } from "./mistral.ts";
import { moonshot } from "./moonshot.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import { togetherAi } from "./together_ai.ts";
import { vertexAi } from "./vertex_ai.ts";
import { xai } from "./xai.ts";
import { zai } from "./zai.ts";

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
