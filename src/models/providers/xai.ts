import { openaiCompatible } from "./openai_compatible.ts";

export const xai = openaiCompatible({
  prefix: "xai",
  displayName: "xAI",
  keyVariable: "XAI_API_KEY",
  baseUrl: "https://api.x.ai/v1",
  // Requests of one conversation meet the same cache.
  headers: ({ runId }) => ({ "x-grok-conv-id": runId }),
});
