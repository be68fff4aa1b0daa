import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { KarotteError } from "../base/errors.ts";
import { exists } from "../base/files.ts";
import * as points from "../entry_points/mod.ts";
import { tempPlugins } from "../../tests/support/temp_plugins.ts";
import { tempDir } from "../base/temp_dir.ts";
import { Offers } from "./offers.ts";
import type { ModuleSource } from "./module_loader.ts";
import { moduleTarget } from "../loader/module_target.ts";

const LOCK = "karotte.plugins.lock.json";
const SECRETS = { default: { name: "acme", entryPoints: { harness_secret_env: { a: ["A"] } } } };

const opened = async (names: string[] = ["./a.ts"]) =>
  await tempPlugins({ plugins: names }, { "./a.ts": SECRETS, "./b.ts": SECRETS });

function sourceIn(folder: string): ModuleSource {
  return {
    target: moduleTarget("./a.ts", folder, "this test"),
    manifest: join(folder, "karotte.plugins.json"),
    baseDirectory: folder,
    lockFile: join(folder, LOCK),
    trustsNpmrc: true,
    approved: undefined,
  };
}

type Plugins = Awaited<ReturnType<typeof opened>>;

/** Returns the names of secrets, and what was loaded to find them out, without this cache. */
async function namesIn(
  { open, loaded, folder }: Plugins,
  { cache = "another cache", imports }: { cache?: string; imports?: "never" } = {},
) {
  loaded.splice(0);
  const registry = await open({
    cacheDirectory: join(folder, cache),
    ...(imports === undefined ? {} : { imports }),
  });
  const entries = await registry.entriesOf(points.harnessSecretEnv.group);
  return [entries.map(({ origin }) => origin.plugin), [...loaded]];
}

Deno.test("the lock file tells what a local module offers, as long as its files are the same", async () => {
  await using plugins = await opened();
  const lock = join(plugins.folder, LOCK);
  await (await plugins.open()).lockOffers();
  assertEquals(JSON.parse(await Deno.readTextFile(lock)), {
    version: 1,
    modules: {},
    local: {
      "./a.ts": {
        plugin: "acme",
        groups: { "karotte.harness_secret_env": ["a"] },
        files: { "a.ts": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b" },
      },
    },
  });
  assertEquals(await namesIn(plugins, { imports: "never" }), [["acme"], []]);
  const never = await plugins.open({ cacheDirectory: join(plugins.folder, "c"), imports: "never" });
  assertEquals(await never.unknownModules(), []);
  await Deno.writeTextFile(join(plugins.folder, "a.ts"), "2");
  const stale = await plugins.open({ cacheDirectory: join(plugins.folder, "c"), imports: "never" });
  assertEquals((await stale.unknownModules()).length, 1);
  assertEquals((await stale.entriesOf(points.harnessSecretEnv.group)).length, 1);
  assertEquals(stale.offerFiles(), undefined);
  assertEquals(await namesIn(plugins), [["acme"], ["./a.ts"]]);
});

Deno.test("a load writes into a lock file that is there, and makes none", async () => {
  await using plugins = await opened();
  const lock = join(plugins.folder, LOCK);
  assertEquals(await namesIn(plugins), [["acme"], ["./a.ts"]]);
  assertEquals(await exists(lock), false);
  await Deno.writeTextFile(lock, '{ "version": 1, "modules": {}, "more": 1 }');
  assertEquals(await namesIn(plugins, { cache: "a third" }), [["acme"], ["./a.ts"]]);
  const written = await Deno.readTextFile(lock);
  assertEquals(Object.keys(JSON.parse(written)), ["version", "modules", "more", "local"]);
  assertEquals(await namesIn(plugins, { cache: "a fourth", imports: "never" }), [["acme"], []]);
  assertEquals(await Deno.readTextFile(lock), written);
});

Deno.test("a lock file that can't be written is no error when a module is loaded", async () => {
  await using dir = await tempDir();
  // Its name leaves no room for that of a new file beside it, not even root's.
  const lockFile = join(dir.path, "l".repeat(250));
  await Deno.writeTextFile(lockFile, '{ "version": 1, "modules": {} }');
  const source = { ...sourceIn(dir.path), lockFile };
  const offers = new Offers(join(dir.path, "cache"));
  const offer = { digest: "one", version: null, plugin: "acme", groups: {} };
  const facts = { offer, inputs: [join(dir.path, "a.ts")], digest: () => Promise.resolve("one") };
  await offers.remember(source, facts);
  assertEquals((await offers.last(source.target))?.offer, offer);
  await assertRejects(() => offers.lock(source, facts), KarotteError, "Cannot write the lock file");
  const changed = { ...facts, digest: () => Promise.resolve("two") };
  await offers.lock(source, changed);
});

Deno.test("lockOffers() warns of what is not recorded", async () => {
  await using plugins = await opened(["./a.ts", "./gone.ts"]);
  await (await plugins.open()).lockOffers();
  assertEquals(plugins.warnings.length, 1);
  assertStringIncludes(plugins.warnings.join(), 'plugin "./gone.ts"');
  const { local } = JSON.parse(await Deno.readTextFile(join(plugins.folder, LOCK)));
  assertEquals(Object.keys(local), ["./a.ts"]);
});

Deno.test("other pins of a local module's packages make what it offers unknown", async () => {
  await using dir = await tempDir();
  const source = sourceIn(await Deno.realPath(dir.path));
  await Deno.writeTextFile(join(dir.path, "a.ts"), "1");
  const offers = new Offers(join(dir.path, "cache"));
  const offer = { digest: "one", version: null, plugin: "acme", groups: {} };
  const pin = async (version: string) => {
    const pins = {
      imports: { "npm:b@1": "b" },
      packages: { "node_modules/b": { version } },
    };
    const { local } = await exists(source.lockFile ?? "")
      ? JSON.parse(await Deno.readTextFile(source.lockFile ?? ""))
      : { local: {} };
    const text = JSON.stringify({ version: 1, modules: { "./a.ts": pins }, local });
    await Deno.writeTextFile(source.lockFile ?? "", text);
  };
  const digest = (digest: string) => () => Promise.resolve(digest);
  await pin("1.0.0");
  await offers.remember(source, { offer, inputs: [join(dir.path, "a.ts")], digest: digest("one") });
  assertEquals((await offers.locked(source))?.offer.plugin, "acme");
  await pin("1.0.1");
  assertEquals(await offers.locked(source), undefined);
  assertEquals(await offers.current(source, digest("two")), undefined, "the cache does not either");
  assertEquals((await offers.current(source, digest("one")))?.offer.plugin, "acme");
  assertEquals((await offers.past(source))?.plugin, "acme");
});

Deno.test("records that make no sense, or name what is no file, are as if they were not there", async () => {
  await using dir = await tempDir();
  const lockFile = join(dir.path, LOCK);
  const source = sourceIn(dir.path);
  await Deno.writeTextFile(join(dir.path, "a.ts"), "1");
  const known = { plugin: "acme", groups: { "karotte.cli": ["tool"] } };
  const one = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b";
  const offers = new Offers(join(dir.path, "cache"));
  const state = async (record: unknown) => {
    const text = JSON.stringify({ version: 1, modules: {}, local: { "./a.ts": record } });
    await Deno.writeTextFile(lockFile, text);
    const [now, past] = [await offers.locked(source), await offers.past(source)];
    return [now !== undefined, past !== undefined];
  };
  assertEquals(await state({ ...known, files: { "a.ts": one } }), [true, true]);
  assertEquals(await state({ ...known, files: { "a.ts": one }, isPartial: true }), [false, true]);
  for (const path of ["gone.ts", "/dev/zero", "/proc/kmsg", "."]) {
    assertEquals(await state({ ...known, files: { "a.ts": one, [path]: one } }), [false, true]);
  }
  assertEquals(await state({ ...known, files: {} }), [false, true]);
  for (
    const record of [
      null,
      1,
      [],
      known,
      { ...known, files: { "a.ts": 1 } },
      { ...known, plugin: 1, files: { "a.ts": one } },
      { ...known, groups: { "karotte.cli": "tool" }, files: { "a.ts": one } },
    ]
  ) {
    assertEquals(await state(record), [false, false], JSON.stringify(record));
  }
});

Deno.test("a lock file that says too little hides nothing from whoever loads the module", async () => {
  await using plugins = await opened();
  const lock = join(plugins.folder, LOCK);
  await (await plugins.open()).lockOffers();
  const written = await Deno.readTextFile(lock);
  await Deno.writeTextFile(lock, written.replace("harness_secret_env", "default_hardware"));
  assertEquals(await namesIn(plugins, { imports: "never" }), [[], []]);
  assertEquals(await namesIn(plugins), [["acme"], ["./a.ts"]]);
  assertEquals(await Deno.readTextFile(lock), written, "it is set right");
  assertEquals(await namesIn(plugins), [["acme"], []], "once a machine");
});
