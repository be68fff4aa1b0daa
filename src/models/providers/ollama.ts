import { openaiCompatible } from "./openai_compatible.ts";

export const ollama = openaiCompatible({
  prefix: "ollama",
  displayName: "Ollama",
  keyVariable: null,
  baseUrl: "http://localhost:11434/v1",
});
