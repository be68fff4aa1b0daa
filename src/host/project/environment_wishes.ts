import { digestOf } from "../../cache/digest.ts";
import { projectRegistries } from "../../loader/packages/registry_settings.ts";
import type { Wish } from "../../trust/wish.ts";
import { environmentSettings } from "../environment/environment_settings.ts";

/** Begins the names of wishes for registries. */
export const REGISTRY_WISH = "registry ";

/**
 * Returns what an environment's `.npmrc` wishes for: registries that the user's own settings do not
 * name. Runs nothing and asks no network.
 */
export async function registryWishes(directory: string): Promise<Wish[]> {
  const registries = await projectRegistries({ directory });
  return (registries?.urls ?? []).map((url) => ({
    name: REGISTRY_WISH + url,
    about: `packages come from there, as ${registries?.path} says`,
    // With the file, for it also says what is sent there.
    digest: digestOf(JSON.stringify([url, registries?.digest])),
  }));
}

/** Returns what an environment's `deno.json` wishes for: models and keys for its judges. */
export async function judgeWishes(directory: string): Promise<Wish[]> {
  const { judgeModels, judgeKeys } = await environmentSettings(directory);
  const models = judgeModels.map((model) => ({
    name: `judge model ${model}`,
    about: "its judges ask it, with your key",
    digest: digestOf(model),
  }));
  const keys = judgeKeys.map(({ variable, provider }) => ({
    name: `judge key $${variable} for ${provider}`,
    about: `that variable of yours is sent to "${provider}"`,
    digest: digestOf(JSON.stringify([variable, provider])),
  }));
  return [...models, ...keys];
}
