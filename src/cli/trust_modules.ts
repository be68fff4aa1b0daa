import { basename, dirname } from "node:path";
import { KarotteError, messageOf } from "../base/errors.ts";
import { warn } from "../base/log.ts";
import { rememberYes } from "../host/project/remember.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { MANIFEST_NAME } from "../plugins/find_manifests.ts";
import { readManifest } from "../plugins/manifest.ts";
import { pluginWishes } from "../plugins/plugin_wishes.ts";
import { isOwn } from "../trust/own_folder.ts";
import { readTrustRecord } from "../trust/trust_record.ts";

/**
 * Records a yes to modules of a manifest as they are now, since the user himself has just put them
 * there; where no yes is needed, nothing. `isMeant` gets the address as the manifest has it.
 */
export async function trustModules(
  manifest: string,
  { isMeant, offline }: { isMeant(written: string): boolean; readonly offline: boolean },
): Promise<void> {
  const folder = Deno.realPathSync(dirname(manifest));
  if (basename(manifest) !== MANIFEST_NAME || isOwn(folder, readTrustRecord())) return;
  const { modules, entries, ...rest } = await readManifest(Deno.realPathSync(manifest));
  const meant = modules.filter(({ written }) => isMeant(written));
  const keys = new Set(meant.map(({ key }) => key));
  const { wishes, unreadable } = await pluginWishes({
    ...rest,
    modules: meant,
    entries: entries.filter(({ target }) => keys.has(target.key)),
  }, { cacheDirectory: cacheDirectory(), offline, trustsNpmrc: false, ageDelayExemptions: [] });
  for (const text of unreadable) warn(`no yes is recorded to what can't be loaded: ${text}`);
  try {
    await rememberYes(wishes.map((wish) => ({ folder, wish })));
  } catch (error) {
    // What was done to the manifest stays done.
    if (!(error instanceof KarotteError)) throw error;
    warn(`your yes is not recorded, and you will be asked: ${messageOf(error)}`);
  }
}
