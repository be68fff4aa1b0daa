import { isTrainingModel, splitModelId } from "./model_id.ts";
import { providerOf, PROVIDERS } from "./providers/mod.ts";

/** What is sent where a key is expected and none is set: to a proxy, and in replays. */
export const PLACEHOLDER_KEY = "model_api_key";

/** A variable of the environment that holds a key. */
export interface KeyVariable {
  readonly name: string;
  /** It follows from the provider's prefix alone. */
  readonly isGuess: boolean;
}

/** The variable that a model's key is looked up in; null: the model needs no key. */
export function keyVariableOf(model: string): KeyVariable | null {
  if (isTrainingModel(model)) return null;
  const { provider } = splitModelId(model);
  const known = providerOf(provider === "" ? "anthropic" : provider);
  if (known === undefined) return { name: guessed(provider), isGuess: true };
  return known.keyVariable === null ? null : { name: known.keyVariable, isGuess: false };
}

/** Returns the prefix of the provider whose keys a variable holds; undefined: of none known. */
export function ownerOfKey(variable: string): string | undefined {
  return PROVIDERS.find(({ keyVariable }) => keyVariable === variable)?.prefix;
}

/** `acme-cloud` has its key in `ACME_CLOUD_API_KEY`. */
function guessed(provider: string): string {
  return `${provider.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_")}_API_KEY`;
}
