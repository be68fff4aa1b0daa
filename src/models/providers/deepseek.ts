import { openaiCompatible } from "./openai_compatible.ts";

export const deepseek = openaiCompatible({
  prefix: "deepseek",
  displayName: "DeepSeek",
  keyVariable: "DEEPSEEK_API_KEY",
  baseUrl: "https://api.deepseek.com/v1",
});
