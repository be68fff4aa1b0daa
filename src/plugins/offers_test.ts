import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { tempDir } from "../base/temp_dir.ts";
import { moduleTarget } from "../loader/module_target.ts";
import type { ModuleSource } from "./module_loader.ts";
import { type LoadedFacts, Offers, pinnedVersion } from "./offers.ts";

function sourceOf(written: string, directory: string): ModuleSource {
  return {
    target: moduleTarget(written, directory, "this test"),
    manifest: "--with",
    baseDirectory: directory,
    lockFile: join(directory, "lock.json"),
    trustsNpmrc: true,
    approved: undefined,
  };
}

function offerOf(digest: string, version: string | null = null) {
  return { digest, version, plugin: "acme", groups: { "karotte.cli": ["tool"] } };
}

function factsOf(offer: LoadedFacts["offer"], inputs: readonly string[] = []): LoadedFacts {
  return { offer, inputs, digest: () => Promise.resolve(offer.digest) };
}

Deno.test("the commands of plugins are known as long as no file has changed, come or gone", async () => {
  await using dir = await tempDir();
  const manifest = join(dir.path, "karotte.plugins.json");
  const module = join(dir.path, "a.ts");
  const later = join(dir.path, "later.json");
  const offers = new Offers(join(dir.path, "cache"));
  const commands = [{ name: "tool", plugin: "acme", isTrusted: true }];
  assertEquals(await offers.commands([manifest]), undefined);
  for (
    const change of [
      () => Deno.writeTextFile(module, "something longer"),
      () => Deno.remove(module),
      () => Deno.writeTextFile(later, "{}"),
    ]
  ) {
    await Deno.writeTextFile(manifest, "{}");
    await Deno.writeTextFile(module, "1");
    await offers.rememberCommands([manifest], commands, [module, later]);
    assertEquals(await offers.commands([manifest]), commands);
    await change();
    assertEquals(await offers.commands([manifest]), undefined);
  }
  assertEquals(await offers.commands([manifest, later]), undefined);
});

Deno.test("the offer of a file counts until the file changes, and is known after that", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "a.ts");
  await Deno.writeTextFile(path, "1");
  const offers = new Offers(join(dir.path, "cache"));
  const source = sourceOf("./a.ts", dir.path);
  const current = () => offers.current(source, () => Promise.reject(new Error("not asked")));
  assertEquals([await current(), await offers.last(source.target)], [undefined, undefined]);
  const known = { offer: offerOf("one"), files: [path] };
  assertEquals(await offers.remember(source, factsOf(known.offer, [path])), known);
  assertEquals([await current(), await offers.last(source.target)], [known, known]);
  await Deno.writeTextFile(path, "changed");
  assertEquals([await current(), await offers.last(source.target)], [undefined, known]);
});

Deno.test("the offer of a package counts for its digest, of a pinned one as long as its pins", async () => {
  await using dir = await tempDir();
  const offers = new Offers(join(dir.path, "cache"));
  const source = sourceOf("npm:acme@1/sub", dir.path);
  const current = (digest?: string) => offers.current(source, () => Promise.resolve(digest));
  const offer = offerOf("one", "1.2.3");
  const loose = { offer, files: undefined };
  assertEquals(await offers.remember(source, factsOf(offer)), loose);
  assertEquals([await current("one"), await current("two")], [loose, undefined]);
  assertEquals(await pinnedVersion(source), undefined);
  const lockFile = source.lockFile ?? "";
  const pins = {
    imports: { "npm:acme@1": "acme" },
    packages: { "node_modules/acme": { version: "1.2.3" } },
  };
  const text = (plugins?: unknown) =>
    JSON.stringify({ version: 1, modules: { "npm:acme@1": { ...pins, plugins } } });
  await Deno.writeTextFile(lockFile, text());
  const pinned = { offer, files: [lockFile] };
  assertEquals(await offers.remember(source, factsOf(offer)), pinned);
  assertEquals([await current(), await pinnedVersion(source)], [pinned, "1.2.3"]);
  assertEquals(
    JSON.parse(await Deno.readTextFile(lockFile)),
    JSON.parse(text({ "npm:acme@1/sub": offer })),
  );
  const elsewhere = new Offers(join(dir.path, "other cache"));
  assertEquals(await elsewhere.current(source, () => Promise.resolve(undefined)), pinned);
});
