import { openaiCompatible } from "./openai_compatible.ts";

export const groq = openaiCompatible({
  prefix: "groq",
  displayName: "Groq",
  keyVariable: "GROQ_API_KEY",
  baseUrl: "https://api.groq.com/openai/v1",
  takesReasoning: false,
});
