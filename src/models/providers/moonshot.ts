import { openaiCompatible } from "./openai_compatible.ts";

export const moonshot = openaiCompatible({
  prefix: "moonshot",
  displayName: "Moonshot AI",
  keyVariable: "MOONSHOT_API_KEY",
  baseUrl: "https://api.moonshot.ai/v1",
});
