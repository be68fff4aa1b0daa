import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { KarotteError } from "../base/errors.ts";
import { templates } from "../entry_points/templates.ts";
import { tempPlugins } from "../../tests/support/temp_plugins.ts";
import { installedTemplates } from "./installed_templates.ts";

/** Makes plugins whose folders of templates hold these; `template.json` has the text by its id. */
async function templatePlugins(roots: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const names = Object.keys(roots);
  const entries = names.map((name) => [name, `./${name}.ts#folder`]);
  const modules = names.map((name) => [`./${name}.ts`, { folder: `./${name}` }]);
  const plugins = await tempPlugins(
    { entryPoints: { templates: Object.fromEntries(entries) } },
    Object.fromEntries(modules),
  );
  for (const [name, texts] of Object.entries(roots)) {
    for (const [id, text] of Object.entries(texts)) {
      const folder = join(plugins.folder, name, id);
      await Deno.mkdir(folder, { recursive: true });
      await Deno.writeTextFile(join(folder, "template.json"), text);
    }
  }
  return plugins;
}

const GOOD = '{ "description": "A template" }';

Deno.test("installedTemplates() works on a registry of which the entry point was read before", async () => {
  await using plugins = await templatePlugins({ acme: { essay: GOOD } });
  const registry = await plugins.open();
  await registry.get(templates);
  const found = await installedTemplates(registry);
  assertEquals(found.map(({ id }) => id), ["default", "essay"]);
});

Deno.test("installedTemplates() skips a plugin of which a template is broken, and says so once", async () => {
  await using plugins = await templatePlugins({
    empty: {},
    good: { essay: GOOD },
    half: { first: GOOD, second: "{}" },
  });
  const registry = await plugins.open();
  for (let times = 0; times < 2; times++) {
    const found = await installedTemplates(registry);
    assertEquals(found.map(({ id }) => id), ["default", "essay"]);
  }
  assertEquals(registry.failures.map(({ origin }) => origin?.name), ["empty", "half"]);
  assertEquals(plugins.warnings.map((text) => text.split(" from ")[0]), [
    'entry "empty" of karotte.templates',
    'entry "half" of karotte.templates',
  ]);
  const strict = await plugins.open({
    flags: { with: [], none: false, strict: true, offline: false },
  });
  const refused = await assertRejects(
    () => installedTemplates(strict),
    KarotteError,
    "Cannot load",
  );
  assertEquals(refused.code, "plugin");
});

Deno.test("installedTemplates() refuses templates of one id from two plugins", async () => {
  await using plugins = await templatePlugins({ a: { same: GOOD }, b: { same: GOOD } });
  const registry = await plugins.open();
  const clash = 'which template "same" is meant';
  const error = await assertRejects(() => installedTemplates(registry), KarotteError, clash);
  assertEquals(error.code, "plugin");
});
