import { openaiCompatible } from "./openai_compatible.ts";

export const openrouter = openaiCompatible({
  prefix: "openrouter",
  displayName: "OpenRouter",
  keyVariable: "OPENROUTER_API_KEY",
  baseUrl: "https://openrouter.ai/api/v1",
});
