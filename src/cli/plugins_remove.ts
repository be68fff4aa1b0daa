import { dirname, resolve } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { reportLine } from "../base/log.ts";
import { cacheDirectory } from "../cache/cache_directory.ts";
import { parsePackage } from "../loader/specifier.ts";
import { type NamedThing, removeNamed } from "../plugins/edit_manifest.ts";
import { readRecordedNames } from "../plugins/recorded_names.ts";
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

function isNamed(
  { reference, module, entry }: NamedThing,
  name: string,
  manifest: string,
): boolean {
  if ([reference, module, entry].includes(name)) return true;
  const found = parsePackage(module);
  if (found !== undefined && found.registry !== "none") {
    const wanted = parsePackage(name);
    const isSame = wanted?.name === found.name && wanted.range === undefined &&
      (wanted.registry === "none" || wanted.registry === found.registry);
    return isSame || isCalled(module, name);
  }
  const path = resolve(dirname(manifest), module);
  return path === resolve(name) || isCalled(path, name);
}

/** What a plugin calls itself is known if it was loaded once. */
function isCalled(specifier: string, name: string): boolean {
  return readRecordedNames(cacheDirectory(), specifier)?.plugin === name;
}
