import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { KarotteError } from "../base/errors.ts";
import * as points from "../entry_points/mod.ts";
import { tempPlugins } from "../../tests/support/temp_plugins.ts";
import type { OpenRegistryOptions } from "./open_registry.ts";

/** A plugin that can't be loaded: what its text says, or that it is not there. */
async function broken(text: string | undefined, more: Readonly<Record<string, string>> = {}) {
  const failing = () => Promise.reject(new Error("broken"));
  const plugins = await tempPlugins({ plugins: ["./a.ts"] }, { "./a.ts": failing });
  for (const [name, content] of Object.entries({ "a.ts": text, ...more })) {
    const path = join(plugins.folder, name);
    if (content === undefined) await Deno.remove(path);
    else await Deno.writeTextFile(path, content);
  }
  return plugins;
}

/** Reads what a run reads; returns what is skipped, or the error. */
async function outcome(
  plugins: Awaited<ReturnType<typeof broken>>,
  options: Partial<OpenRegistryOptions>,
): Promise<{ error?: KarotteError; warnings: string[] }> {
  plugins.warnings.splice(0);
  const registry = await plugins.open(options);
  try {
    await registry.get(points.runConfigPreprocessors);
    await registry.get(points.harnessSecretEnv);
    return { warnings: [...plugins.warnings] };
  } catch (error) {
    if (!(error instanceof KarotteError)) throw error;
    assertEquals([error.code, error.message.includes("\n")], ["plugin", false]);
    return { error, warnings: [...plugins.warnings] };
  }
}

const RUN = { unloadable: "refuse" } as const;
const WITH_VARIABLES = { unloadable: "refuse", handsVariablesOver: true } as const;
const START = 'plugin "./a.ts" (FOLDER/karotte.plugins.json)';

Deno.test("a module that can't be loaded ends a run if its text names preprocessors", async () => {
  for (const name of ["karotte.run_config_preprocessors", "run_config_preprocessors"]) {
    await using plugins = await broken(`definePlugin({ entryPoints: { "${name}": { a: `);
    const { error } = await outcome(plugins, RUN);
    assertStringIncludes(
      error?.message ?? "",
      "broken; it has entries of karotte.run_config_preprocessors",
    );
    assertStringIncludes(error?.hint ?? "", "--no-plugins");
    const { warnings } = await outcome(plugins, {});
    assertEquals(warnings, [`${START} is skipped: broken; whatever it adds is missing`]);
  }
});

Deno.test("a module that can't be loaded ends a run if nothing can be known of it", async () => {
  const imported = 'import { limits } from "./gone.ts"; export default { hardware_limits: {} };';
  const spread = 'import a from "npm:acme"; export default { hardware_limits: {}, ...a };';
  for (const text of [undefined, "", "1", imported, spread]) {
    await using plugins = await broken(text);
    const { error } = await outcome(plugins, RUN);
    assertStringIncludes(error?.message ?? "", "broken; what it adds is not known", text);
    assertEquals((await outcome(plugins, {})).warnings.length, 1);
  }
});

Deno.test("a module that may name secrets is skipped, but where variables are handed over", async () => {
  const withheld = "the variables that it names are not withheld from the student";
  for (
    const [text, more] of [
      ["export default { harness_secret_env: { a: [", {}],
      ['import "./b.ts"; export default { cli: {} };', { "b.ts": "const harness_secret_env = [" }],
    ] as const
  ) {
    await using plugins = await broken(text, more);
    const { error, warnings } = await outcome(plugins, RUN);
    const skipped = `${START} is skipped: broken; whatever it adds is missing; ${withheld}`;
    assertEquals([error, warnings], [undefined, [skipped]]);
    const refused = await outcome(plugins, WITH_VARIABLES);
    assertStringIncludes(refused.error?.message ?? "", "a variable of --env may be a secret");
    assertStringIncludes(refused.error?.hint ?? "", "leave out --env");
  }
});

Deno.test("a module whose text names neither is skipped, whatever is handed over", async () => {
  await using plugins = await broken("export default { hardware_limits: {");
  const { error, warnings } = await outcome(plugins, WITH_VARIABLES);
  assertEquals(error, undefined);
  assertStringIncludes(warnings.join(), "the limits that it knows are not set");
  assertEquals(warnings.length, 1);
});

Deno.test("an entry of secrets that can't be used ends a run that hands variables over", async () => {
  await using plugins = await tempPlugins({
    entryPoints: { harness_secret_env: { a: "./gone.ts" } },
  }, {});
  const registry = await plugins.open(RUN);
  assertEquals(await registry.get(points.harnessSecretEnv), []);
  assertEquals(plugins.warnings.length, 1);
  const strict = await plugins.open(WITH_VARIABLES);
  await assertRejects(
    () => strict.get(points.harnessSecretEnv),
    KarotteError,
    "no such module; a variable of --env may be a secret",
  );
});

Deno.test("what was recorded of a module counts together with what its text says now", async () => {
  let isBroken = false;
  const offers = { default: { name: "acme", entryPoints: { harness_secret_env: { a: ["A"] } } } };
  const module = () => isBroken ? Promise.reject(new Error("broken")) : Promise.resolve(offers);
  await using plugins = await tempPlugins({ plugins: ["./a.ts"] }, { "./a.ts": module });
  assertEquals(await (await plugins.open(RUN)).get(points.harnessSecretEnv), ["A"]);
  isBroken = true;
  const path = join(plugins.folder, "a.ts");
  await Deno.writeTextFile(path, "changed: what it says is no plugin");
  const { error, warnings } = await outcome(plugins, RUN);
  assertEquals(error, undefined);
  assertStringIncludes(warnings.join(), 'entry "a" of karotte.harness_secret_env');
  assertStringIncludes(
    (await outcome(plugins, WITH_VARIABLES)).error?.message ?? "",
    "a variable of --env may be a secret",
  );
  await Deno.writeTextFile(path, "{ run_config_preprocessors: {} }");
  assertStringIncludes(
    (await outcome(plugins, RUN)).error?.message ?? "",
    "it has entries of karotte.run_config_preprocessors",
  );
  await Deno.remove(path);
  assertEquals((await outcome(plugins, RUN)).error, undefined, "the record tells what it offers");
});

/** A plugin that offers hardware limits when it is first loaded, and then can't be any more. */
async function brokenLater(text: string) {
  let isBroken = false;
  const offers = { default: { name: "acme", entryPoints: { hardware_limits: { a: () => null } } } };
  const module = () => isBroken ? Promise.reject(new Error("broken")) : Promise.resolve(offers);
  const plugins = await tempPlugins({ plugins: ["./a.ts"] }, { "./a.ts": module });
  await (await plugins.open(RUN)).get(points.hardwareLimits);
  isBroken = true;
  await Deno.writeTextFile(join(plugins.folder, "a.ts"), text);
  return plugins;
}

Deno.test("what was recorded says nothing of packages that were added since", async () => {
  await using plugins = await brokenLater(
    'import a from "npm:acme"; export default { entryPoints: { hardware_limits: {}, ...a } };',
  );
  const { error } = await outcome(plugins, RUN);
  assertStringIncludes(error?.message ?? "", "broken; what it adds is not known");
});

Deno.test("secrets that were added since are told of, and so is what that means", async () => {
  await using plugins = await brokenLater("{ hardware_limits: {}, harness_secret_env: {");
  const { error, warnings } = await outcome(plugins, RUN);
  assertEquals(error, undefined);
  assertStringIncludes(warnings.join(), "are not withheld from the student");
});
