import { dirname, resolve } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { reportLine } from "../base/log.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { type FileTarget, type ModuleTarget, readTarget } from "../loader/module_target.ts";
import { parsePackage } from "../loader/specifier.ts";
import { type NamedThing, removeNamed } from "../plugins/edit_manifest.ts";
import { Offers } from "../plugins/offers.ts";
import { defineCommand } from "./command.ts";
import { manifestFlags, manifestToChange } from "./plugins_manifest.ts";

export const command = defineCommand({
  description: `
Takes a plugin out of a manifest. NAME is what the manifest says, the package's name, what the
plugin calls itself, or the name of an entry. Nothing is loaded, so it works on broken plugins.`,
  flags: manifestFlags,
  positionals: { name: { value: "NAME", help: "What to remove." } },
  async run({ flags, positionals: { name } }, context) {
    const manifest = resolve(manifestToChange(flags, context));
    const { removed, left } = await removeNamed(
      manifest,
      (thing) => isNamed(thing, name, manifest),
    );
    for (const { reference, entry } of removed) {
      const what = entry === undefined ? `"${reference}"` : `entry "${entry}" ("${reference}")`;
      reportLine(`removed ${what} from ${manifest}`);
    }
    if (removed.length > 0) return;
    const names = left.map(({ reference, entry }) => entry ?? reference).join(", ");
    throw new KarotteError("usage", `Cannot remove "${name}": ${manifest} does not name it`, {
      hint: names === "" ? "it names nothing" : `it names ${names}`,
    });
  },
});

async function isNamed(
  { reference, module, entry }: NamedThing,
  name: string,
  manifest: string,
): Promise<boolean> {
  if ([reference, module, entry].includes(name)) return true;
  const target = readTarget(module, dirname(manifest));
  if (target.kind === "file" ? target.path === resolve(name) : isPackage(target, name)) return true;
  // What a plugin calls itself is known if it was loaded once.
  return (await new Offers(cacheDirectory()).last(target))?.offer.plugin === name;
}

/** Returns true if a package has the name, which may say its registry but no version. */
function isPackage(target: Exclude<ModuleTarget, FileTarget>, name: string): boolean {
  const wanted = parsePackage(name);
  if (wanted === undefined || wanted.range !== undefined) return false;
  const { registry } = wanted;
  const own = target.kind === "package" ? target.package.name : target.packageName;
  return wanted.name === own && (registry === "none" || target.written.startsWith(`${registry}:`));
}
