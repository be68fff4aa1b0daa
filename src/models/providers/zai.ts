import { openaiCompatible } from "./openai_compatible.ts";

export const zai = openaiCompatible({
  prefix: "zai",
  displayName: "Z.ai",
  keyVariable: "ZAI_API_KEY",
  baseUrl: "https://api.z.ai/api/paas/v4",
});
