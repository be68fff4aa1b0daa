import { KarotteError } from "../base/errors.ts";
import type { ModelId } from "./model_id.ts";
import type { Provider } from "./provider.ts";
import { PROVIDERS, VERTEX_AI } from "./providers/mod.ts";
import { openaiCompatible } from "./providers/openai_compatible.ts";

/**
 * Returns the provider that serves a model, or a proxy for any. Loads nothing. Throws a usage error
 * for a model that can't be called.
 */
export function callableProvider({ id, provider }: ModelId, isProxied: boolean): Provider {
  const refuse = (state: string, hint: string) =>
    new KarotteError("usage", `Cannot use model "${id}": ${state}`, { hint });
  if (provider === VERTEX_AI.prefix) {
    throw refuse(
      "Vertex AI is not supported",
      "Gemini models are called as gemini/...; others behind --proxy by another prefix",
    );
  }
  const known = PROVIDERS.find(({ prefix }) => prefix === provider);
  if (known !== undefined) return known;
  if (isProxied) {
    const displayName = provider || "the proxy";
    return openaiCompatible({ prefix: provider, displayName, keyVariable: null, baseUrl: "" });
  }
  const prefixes = PROVIDERS.map(({ prefix }) => prefix).join(", ");
  throw refuse(
    provider === "" ? "it names no provider" : `there is no provider "${provider}"`,
    `begin the model with one of ${prefixes}; or call any OpenAI-compatible API with --proxy URL`,
  );
}
