import { dirname, relative, resolve } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { isReachableFileSync } from "../base/files.ts";
import { reportLine } from "../base/log.ts";
import { moduleTarget } from "../loader/module_target.ts";
import { giveToInvokingUser } from "../records/invoking_user.ts";
import { addModules } from "../plugins/edit_manifest.ts";
import { defineCommand } from "./command.ts";
import { manifestFlags, manifestToChange } from "./plugins_manifest.ts";

export const command = defineCommand({
  description: `
Adds plugins to a manifest: paths, npm:NAME@RANGE or jsr:@SCOPE/NAME@RANGE. That is your yes to
them as they are now (karotte trust says more). Packages are installed, and nothing is loaded.

  karotte plugins add ./my_plugin.ts npm:karotte-acme@2`,
  flags: manifestFlags,
  positionals: { specs: { value: "SPEC", rest: true, help: "What to add." } },
  async run({ flags, positionals: { specs } }, context) {
    if (specs.length === 0) {
      throw new KarotteError("usage", `Cannot run ${context.path}: SPEC is missing`, {
        hint: `${context.path} ./my_plugin.ts`,
      });
    }
    const manifest = resolve(manifestToChange(flags, context));
    const added = await addModules(manifest, specs.map((spec) => asManifestSays(spec, manifest)));
    await giveToInvokingUser(manifest);
    for (const module of added) reportLine(`added "${module}" to ${manifest}`);
    if (added.length > 0) {
      const { trustModules } = await import("./trust_modules.ts");
      const { offline } = context.plugins;
      await trustModules(manifest, { isMeant: (written) => added.includes(written), offline });
    }
    if (added.length === 0) reportLine(`nothing to add: ${manifest} has it already`);
  },
});

/**
 * Returns what to write of a typed path, which starts from the current folder: one that starts from
 * the manifest's.
 */
function asManifestSays(spec: string, manifest: string): string {
  const target = moduleTarget(spec, Deno.cwd(), "SPEC");
  if (target.kind !== "file") return spec;
  if (!isReachableFileSync(target.path)) {
    throw new KarotteError("usage", `Cannot add "${spec}": no such file`, {
      hint: "packages are npm:NAME or jsr:@SCOPE/NAME",
    });
  }
  if (spec.startsWith("/") || spec.startsWith("file:")) return spec;
  const path = relative(dirname(manifest), target.path);
  return path.startsWith("../") ? path : `./${path}`;
}
