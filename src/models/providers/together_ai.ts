import { openaiCompatible } from "./openai_compatible.ts";

export const togetherAi = openaiCompatible({
  prefix: "together_ai",
  displayName: "Together AI",
  keyVariable: "TOGETHERAI_API_KEY",
  baseUrl: "https://api.together.xyz/v1",
  body: (_request, spec) =>
    spec.reasoning_request === "enabled" ? { reasoning: { enabled: true } } : {},
});
