import type { Provider } from "../provider.ts";
import { openCompatible } from "./openai_compatible.ts";
import { openResponses } from "./openai_responses.ts";

export const meta: Provider = {
  prefix: "meta",
  displayName: "Meta",
  keyVariable: "META_API_KEY",
  baseUrl: "https://api.meta.ai/v1",
  open: (options) =>
    options.spec.uses_responses_api ? openResponses(options) : openCompatible(options),
};
