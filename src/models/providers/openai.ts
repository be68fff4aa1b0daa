import type { Provider } from "../provider.ts";
import { openCompatible } from "./openai_compatible.ts";
import { openResponses } from "./openai_responses.ts";

export const openai: Provider = {
  prefix: "openai",
  displayName: "OpenAI",
  keyVariable: "OPENAI_API_KEY",
  baseUrl: "https://api.openai.com/v1",
  open: (options) =>
    options.isProxied && !options.spec.uses_responses_api
      ? openCompatible(options, { body: ({ runId }) => ({ prompt_cache_key: runId }) })
      : openResponses(options),
};
