import { openaiCompatible } from "./openai_compatible.ts";

export const fireworksAi = openaiCompatible({
  prefix: "fireworks_ai",
  displayName: "Fireworks AI",
  keyVariable: "FIREWORKS_AI_API_KEY",
  baseUrl: "https://api.fireworks.ai/inference/v1",
  capacityStatus: 503,
  // Requests of one conversation meet the same cache.
  headers: ({ runId }) => ({ "x-session-affinity": runId }),
  body: ({ isPriority }) => isPriority ? { service_tier: "priority" } : {},
});
