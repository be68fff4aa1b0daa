import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../../src/base/errors.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { installDeno, LINUX_DENO } from "../../src/loader/linux_deno.ts";
import { registryTests } from "./registry_tests.ts";

const { registry, test } = await registryTests();

test("a Deno for another machine is installed, with its integrity and from the cache later", async () => {
  const name = "@deno/plan9-riscv64";
  await registry().publish({
    name,
    version: "2.0.0",
    manifest: { os: ["plan9"], cpu: ["riscv64"] },
    files: { "deno": "a program" },
  });
  await using cache = await tempDir();
  const { versions } = await (await fetch(registry().url + name)).json();
  const { integrity } = versions["2.0.0"].dist;
  const deno = { package: name, version: "2.0.0", integrity };
  const { url } = registry();
  const variable = (name: string) => name === "NPM_CONFIG_REGISTRY" ? url : undefined;
  const options = { cacheDirectory: cache.path, offline: false, variable };

  const wrong = { ...deno, integrity: LINUX_DENO.amd64.integrity };
  const refusal = await assertRejects(() => installDeno(wrong, options), KarotteError, "differs");
  assertEquals(refusal.code, "runtime");
  await assertRejects(() => installDeno(deno, { ...options, offline: true }), KarotteError);

  const path = await installDeno(deno, options);
  assertEquals(await Deno.readTextFile(path), "a program");
  assertEquals(await installDeno(deno, { ...options, offline: true }), path);
});

Deno.test("the Deno of other machines is the one that this source tree is tested with", async () => {
  const setup = await Deno.readTextFile(new URL("../../scripts/setup.sh", import.meta.url));
  const [, version] = /^package=deno@(\S+)$/m.exec(setup) ?? [];
  for (const deno of Object.values(LINUX_DENO)) assertEquals(deno.version, version);
});
