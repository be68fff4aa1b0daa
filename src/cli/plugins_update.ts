import { dirname, join, resolve } from "node:path";
import { reportLine } from "../base/log.ts";
import { ageDelayExemptions } from "../entry_points/age_delay_exemptions.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { pruneModules, updateModules } from "../loader/update_modules.ts";
import { readManifest } from "../plugins/manifest.ts";
import { LOCK_FILE_NAME } from "../plugins/open_registry.ts";
import { NO_PLUGIN_FLAGS } from "../plugins/plugin_flags.ts";
import { defineCommand } from "./command.ts";
import { manifestFlags, manifestToChange } from "./plugins_manifest.ts";
import { registryToShow } from "./plugins_report.ts";
import { approvedByUser, approvedSoFar } from "./project_trust.ts";
import { trustModules } from "./trust_modules.ts";

export const command = defineCommand({
  description: `
Pins the newest versions that fit what a manifest's plugins ask for, and installs them. Versions
younger than 7 days are left out, but those of the packages that age_delay_exemptions names. What
the plugins add is recorded too, as karotte plugins check does.`,
  flags: manifestFlags,
  async run({ flags: given }, context) {
    const path = resolve(manifestToChange(given, context));
    const { modules, entries } = await readManifest(path);
    // What a project's manifest names needs a yes, though this command names the manifest.
    const flags = { ...NO_PLUGIN_FLAGS, offline: context.plugins.offline };
    const directory = Deno.realPathSync(dirname(path));
    const approvals = await approvedByUser({ directory, flags });
    const registry = await registryToShow(context, { ...flags, manifest: path }, approvals);
    const options = {
      baseDirectory: dirname(path),
      cacheDirectory: cacheDirectory(),
      lockFile: join(dirname(path), LOCK_FILE_NAME),
      offline: false,
      trustsNpmrc: approvals.npmrc,
      ageDelayExemptions: await registry.get(ageDelayExemptions),
    };
    const targets = [...modules, ...entries.map(({ target }) => target)];
    const named = [...new Map(targets.map((target) => [target.key, target])).values()];
    const updates = await updateModules(named, options);
    await pruneModules(named, options);
    await trustModules(path, { isMeant: () => true, offline: false });
    // What they are now has nothing to do with what this process has loaded of them.
    const now = await approvedSoFar({ directory, flags, own: true });
    await (await registryToShow(context, { ...flags, manifest: path }, now)).lockOffers();
    for (const { package: name, from, to } of updates) {
      reportLine(from === to ? `${name}: ${to}` : `${name}: ${from ?? "not pinned"} -> ${to}`);
    }
    if (updates.length === 0) reportLine(`no packages in ${path}`);
  },
});
