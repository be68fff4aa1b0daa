import { openaiCompatible } from "./openai_compatible.ts";

export const cerebras = openaiCompatible({
  prefix: "cerebras",
  displayName: "Cerebras",
  keyVariable: "CEREBRAS_API_KEY",
  baseUrl: "https://api.cerebras.ai/v1",
  takesReasoning: false,
});
