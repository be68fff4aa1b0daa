import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { KarotteError } from "../base/errors.ts";
import { z } from "zod";
import { entryPoint } from "../entry_points/entry_point.ts";
import { inNameOrder } from "../entry_points/merge.ts";
import * as points from "../entry_points/mod.ts";
import { definePlugin, lazy } from "../sdk/define_plugin.ts";
import type { LoadModuleOptions } from "../loader/load_module.ts";
import { NO_PLUGIN_FLAGS } from "./plugin_flags.ts";
import { tempPlugins } from "../../tests/support/temp_plugins.ts";

const plugin = (entryPoints: Parameters<typeof definePlugin>[0]["entryPoints"]) => ({
  default: definePlugin({ name: "acme", entryPoints }),
});

Deno.test("a registry imports only the modules of the entry points that are read", async () => {
  await using plugins = await tempPlugins({
    entryPoints: {
      default_hardware: { a: "./a.ts#HARDWARE", b: "./b.ts#HARDWARE" },
      "chalk.harness_secret_env": { c: "./c.ts" },
    },
  }, {
    "./a.ts": { HARDWARE: "gpu" },
    "./b.ts": { HARDWARE: "cpu" },
    "./c.ts": { default: ["C"] },
  });
  const registry = await plugins.open();
  assertEquals([plugins.loaded, await registry.get(points.defaultProxyUrl)], [[], undefined]);
  assertEquals(await registry.get(points.defaultHardware), "gpu");
  assertEquals(await registry.get(points.defaultHardware), "gpu");
  assertEquals(plugins.loaded, ["./a.ts"], "the first by name is enough, and once");
  assertEquals(await registry.get(points.harnessSecretEnv), ["C"]);
  assertEquals(plugins.warnings, []);
});

Deno.test("what a module offers is remembered until one of its files changes", async () => {
  const offers = plugin({
    harness_secret_env: { acme: ["A"] },
    "karotte.cli": { tool: lazy(() => Promise.resolve({}), "never" as never) },
  });
  await using plugins = await tempPlugins({ plugins: ["./a.ts"] }, { "./a.ts": offers });
  const names = async () =>
    (await (await plugins.open()).entriesOf("karotte.cli")).map(({ origin }) => origin.name);
  assertEquals([await names(), plugins.loaded], [["tool"], ["./a.ts"]]);
  assertEquals([await names(), plugins.loaded], [["tool"], ["./a.ts"]]);
  const registry = await plugins.open();
  assertEquals(await registry.get(points.defaultHardware), undefined);
  assertEquals(plugins.loaded, ["./a.ts"], "it offers nothing there");
  await Deno.writeTextFile(join(plugins.folder, "a.ts"), "changed");
  assertEquals([await names(), plugins.loaded], [["tool"], ["./a.ts", "./a.ts"]]);
});

Deno.test("of two entries of a name the first wins, with a warning", async () => {
  await using plugins = await tempPlugins({
    plugins: ["./a.ts", "./b.ts", "./a.ts"],
    entryPoints: { default_hardware: { x: "./c.ts" } },
  }, {
    "./a.ts": plugin({ default_hardware: { x: "from a", y: "from a" } }),
    "./b.ts": plugin({ default_hardware: { y: "from b" } }),
    "./c.ts": { default: "from c" },
  });
  const registry = await plugins.open({ flags: { ...NO_PLUGIN_FLAGS, with: ["./d.ts"] } });
  assertEquals(await registry.get(points.defaultHardware), "from c");
  const duplicates = plugins.warnings.filter((text) => text.includes("comes first"));
  assertEquals(duplicates.length, 2, plugins.warnings.join("\n"));
  assertStringIncludes(duplicates[1] ?? "", 'entry "y" of karotte.default_hardware');
});

Deno.test("each token of a group has its own merged value, and its own check", async () => {
  await using plugins = await tempPlugins({
    entryPoints: { harness_secret_env: { a: "./a.ts#A" } },
  }, { "./a.ts": { A: ["A", "B"] } });
  const count = entryPoint({
    group: points.harnessSecretEnv.group,
    summary: "How many names each entry has.",
    check: z.array(z.string()).transform((names) => names.length),
    merge: async (entries) => (await inNameOrder(entries)).map(({ value }) => value),
  });
  const registry = await plugins.open();
  assertEquals(await registry.get(points.harnessSecretEnv), ["A", "B"]);
  assertEquals(await registry.get(count), [2]);
  assertEquals(await registry.get(points.harnessSecretEnv), ["A", "B"]);
  assertEquals(plugins.loaded, ["./a.ts"]);
});

Deno.test("a failing entry is warned of once, and told among the failures", async () => {
  await using plugins = await tempPlugins({
    entryPoints: { harness_secret_env: { a: "./gone.ts#A", b: "./b.ts#B" } },
  }, { "./b.ts": { B: ["B"] } });
  const registry = await plugins.open();
  assertEquals(await registry.get(points.harnessSecretEnv), ["B"]);
  assertEquals(await registry.get(points.harnessSecretEnv), ["B"]);
  assertEquals(plugins.warnings, [
    'entry "a" of karotte.harness_secret_env from "./gone.ts#A" (FOLDER/karotte.plugins.json) ' +
    "is skipped: no such module; the variables that it names are not withheld from the student",
  ]);
  assertEquals(registry.failures.map(({ origin, cause }) => [origin?.name, cause]), [
    ["a", "no such module"],
  ]);
});

Deno.test("a preprocessor that does not load is fatal, and with strict everything is", async () => {
  const entryPoints = {
    run_config_preprocessors: { a: "./gone.ts" },
    default_hardware: { a: "./gone.ts" },
  };
  await using plugins = await tempPlugins({ entryPoints }, {});
  const registry = await plugins.open();
  assertEquals(await registry.get(points.defaultHardware), undefined);
  const fatal = await assertRejects(
    () => registry.get(points.runConfigPreprocessors),
    KarotteError,
  );
  assertEquals(fatal.code, "plugin");
  assertStringIncludes(fatal.message, 'Cannot load entry "a" of karotte.run_config_preprocessors');
  const strict = await plugins.open({ flags: { ...NO_PLUGIN_FLAGS, strict: true } });
  await assertRejects(() => strict.get(points.defaultHardware), KarotteError, "Cannot load entry");
  await using marked = await tempPlugins({ strict: true, entryPoints }, {});
  const bySelf = await marked.open();
  await assertRejects(() => bySelf.get(points.defaultHardware), KarotteError, "Cannot load entry");
  const none = await plugins.open({ flags: { ...NO_PLUGIN_FLAGS, none: true } });
  assertEquals((await none.get(points.runConfigPreprocessors)).names, []);
});

Deno.test("a module that broke fails by the entries that it had", async () => {
  let broken = false;
  const offers = plugin({ "karotte.run_config_preprocessors": { acme: (config) => config } });
  const module = () => broken ? Promise.reject(new Error("broken")) : Promise.resolve(offers);
  await using plugins = await tempPlugins({ plugins: ["./a.ts"] }, { "./a.ts": module });
  await (await plugins.open()).get(points.runConfigPreprocessors);
  broken = true;
  await Deno.writeTextFile(join(plugins.folder, "a.ts"), "changed");
  const registry = await plugins.open();
  await assertRejects(() => registry.get(points.runConfigPreprocessors), KarotteError, "broken");
});

Deno.test("a module that never loaded is skipped with one warning", async () => {
  const failing = () => Promise.reject(new Error("broken"));
  await using plugins = await tempPlugins({ plugins: ["./a.ts"] }, { "./a.ts": failing });
  const registry = await plugins.open();
  await registry.get(points.runConfigPreprocessors);
  await registry.get(points.cli);
  assertEquals(plugins.warnings, [
    'plugin "./a.ts" (FOLDER/karotte.plugins.json) is skipped: broken; whatever it adds is missing',
  ]);
});

Deno.test("hostile exports are skipped", async () => {
  const trap = () => {
    throw Object.create(null);
  };
  const proxy = new Proxy(() => {}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap });
  await using plugins = await tempPlugins({
    plugins: ["./getter.ts", "./none.ts", "./proxy.ts"],
    entryPoints: {
      harness_secret_env: { proxy: "./proxy.ts#value" },
      cli: { then: "./then.ts#value" },
      cli_agents: { proxy: "./proxy.ts#value" },
      default_hardware: { proxy: "./proxy.ts#value" },
    },
  }, {
    "./getter.ts": {
      default: {
        name: "getter",
        entryPoints: { templates: Object.defineProperty({}, "a", { get: trap, enumerable: true }) },
      },
    },
    "./none.ts": { other: 1 },
    "./proxy.ts": { default: proxy, value: proxy },
    // Awaiting it would never end.
    "./then.ts": { value: { description: "d", main() {}, then() {} } },
  });
  const registry = await plugins.open();
  for (const token of Object.values(points)) await registry.get(token as typeof points.cli);
  assertEquals([...(await registry.get(points.cli)).keys()], ["then"]);
  const causes = registry.failures.map(({ what, cause }) => `${what.split(" (")[0]}: ${cause}`);
  const unshown = "an error that can't be shown";
  assertEquals(causes.sort(), [
    `entry "a" of karotte.templates from plugin "getter": ${unshown}`,
    `entry "proxy" of karotte.cli_agents from "./proxy.ts#value": ${unshown}`,
    `entry "proxy" of karotte.default_hardware from "./proxy.ts#value": ${unshown}`,
    'entry "proxy" of karotte.harness_secret_env from "./proxy.ts#value": expected a list, found a function',
    'plugin "./none.ts": it has no default export; export default definePlugin({ ... })',
    'plugin "./proxy.ts": its default export is not an object; export default definePlugin({ ... })',
  ]);
});

Deno.test("a lazy value is loaded when it is needed; an unknown group is warned of", async () => {
  let count = 0;
  const load = () => Promise.resolve({ app: (count++, ["X"]) });
  await using plugins = await tempPlugins({ plugins: ["./a.ts"], entryPoints: { clj: {} } }, {
    "./a.ts": plugin({
      harness_secret_env: { acme: lazy(load, "app"), gone: lazy(load, "ap" as "app") },
      hardware_limit: { a: 1 },
    }),
  });
  const registry = await plugins.open();
  await registry.entriesOf("karotte.harness_secret_env");
  assertEquals(count, 0);
  assertEquals(await registry.get(points.harnessSecretEnv), ["X"]);
  assertEquals(registry.failures.map(({ cause }) => cause), [
    'the module has no export "ap", it exports "app"',
  ]);
  const unknown = plugins.warnings.filter((text) => text.includes("unknown entry point"));
  assertEquals(unknown.map((text) => text.replace(/^.*unknown/, "unknown")), [
    'unknown entry point "clj", ignored; did you mean "karotte.cli"?',
    'unknown entry point "karotte.hardware_limit", ignored; did you mean "karotte.hardware_limits"?',
  ]);
});

Deno.test("packages that may be young are known before any other module is loaded", async () => {
  const seen: Record<string, readonly string[]> = {};
  const module =
    (name: string, exports: Readonly<Record<string, unknown>>) => (options: LoadModuleOptions) => {
      seen[name] = options.ageDelayExemptions;
      const isYoung = name === "young" && !options.ageDelayExemptions.includes("acme");
      return isYoung ? Promise.reject(new Error("too young")) : Promise.resolve(exports);
    };
  await using plugins = await tempPlugins({
    plugins: ["npm:acme", "npm:trusted"],
    entryPoints: { default_hardware: { a: "npm:acme/hardware" } },
  }, {
    "npm:acme": module("young", plugin({ harness_secret_env: { acme: ["A"] } })),
    "npm:acme/hardware": module("hardware", { default: "gpu" }),
    "npm:trusted": module("trusted", plugin({ age_delay_exemptions: { acme: ["acme"] } })),
  });
  const registry = await plugins.open();
  assertEquals(await registry.get(points.defaultHardware), "gpu");
  assertEquals(await registry.get(points.harnessSecretEnv), ["A"]);
  assertEquals([seen.trusted, plugins.warnings], [[], []]);
  assertEquals([seen.hardware, seen.young], [["@karotte/cli", "acme"], ["@karotte/cli", "acme"]]);
});

Deno.test("a registry that imports nothing tells what it knows, and of which modules it does not", async () => {
  const text = 'export default definePlugin({ entryPoints: { cli: { later: 1, "b-c": 2 } } });';
  await using plugins = await tempPlugins({
    plugins: ["./a.ts", "./new.ts", "./gone.ts", "npm:acme"],
    entryPoints: { cli: { named: "./c.ts#app" } },
  }, { "./a.ts": plugin({ "karotte.cli": { tool: { description: "d", main() {} } } }) });
  await Deno.writeTextFile(join(plugins.folder, "new.ts"), text);
  const look = async () => {
    const registry = await plugins.open({ imports: "never" });
    const entries = await registry.entriesOf("karotte.cli");
    const unknown = await registry.unknownModules();
    return [
      entries.map(({ origin }) => origin.name),
      unknown.map(({ target }) => target.written),
      registry.offerFiles(),
    ];
  };
  const others = ["./new.ts", "./gone.ts", "npm:acme"];
  assertEquals(await look(), [["named"], ["./a.ts", ...others], undefined]);
  assertEquals([plugins.loaded, plugins.warnings], [[], []]);
  await (await plugins.open()).entriesOf("karotte.cli");
  plugins.loaded.splice(0);
  assertEquals(await look(), [["named", "tool"], others, undefined]);
  await Deno.writeTextFile(join(plugins.folder, "a.ts"), "changed");
  assertEquals(await look(), [["named", "tool"], ["./a.ts", ...others], undefined]);
  const registry = await plugins.open({ imports: "never" });
  const may = ["later", "b-c", "latex", "tool", ""].map((name) =>
    registry.mayOffer("karotte.cli", name)
  );
  assertEquals(await Promise.all(may), [true, true, false, false, false]);
  assertEquals(await registry.mayOffer("karotte.templates", "later"), false);
  await assertRejects(() => registry.get(points.cli), Error, "imports nothing");
  await assertRejects(() => registry.getEntry(points.cli, "tool"), Error, "imports nothing");
  assertEquals(plugins.loaded, []);
});
