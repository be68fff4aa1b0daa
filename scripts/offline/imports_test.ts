import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { importsOf } from "../imports_of.ts";

const ROOT = join(import.meta.dirname ?? ".", "../..");

async function readJson(path: string) {
  return JSON.parse(await Deno.readTextFile(join(ROOT, path)));
}

Deno.test("imports.json has the keys of deno.json, and the same npm packages", async () => {
  const online: Record<string, string> = (await readJson("deno.json")).imports;
  const offline: Record<string, string> = (await readJson("scripts/offline/imports.json")).imports;
  const expected = Object.entries(online).map(([key, value]) => [
    key,
    key.startsWith("@std/") ? `./${key.slice("@std/".length)}.ts` : value,
  ]);
  assertEquals(offline, Object.fromEntries(expected));
});

Deno.test("standard_modules.ts names every module of @std in deno.json", async () => {
  const { imports } = await readJson("deno.json");
  const source = await Deno.readTextFile(join(ROOT, "scripts/offline/standard_modules.ts"));
  const standard = Object.keys(imports).filter((key) => key.startsWith("@std/"));
  assertEquals(importsOf(source), standard);
});

Deno.test("deno.lock pins every npm package of deno.json, and holds nothing of JSR", async () => {
  const { imports } = await readJson("deno.json");
  const lock = await readJson("deno.lock");
  const packages = Object.values<string>(imports).filter((value) => value.startsWith("npm:"));
  const pinned = Object.keys(lock.specifiers);
  assertEquals(packages.filter((name) => !pinned.includes(name)), [], "run: deno task lock");
  assertEquals([...pinned.filter((name) => !name.startsWith("npm:")), lock.jsr], [undefined]);
});
