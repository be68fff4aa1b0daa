import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleEnvironment } from "../../src/loader/environment_bundle.ts";
import { publishSdk } from "../../src/sdk/publish.ts";
import { type Project, refusalOf, tempProject } from "./project.ts";
import { registryTests } from "./registry_tests.ts";

const { registry, test } = await registryTests();
publishSdk();

const MAIN = "src/environment/tasks/main.ts";

async function bundle({ directory, options }: Project, offline = false) {
  const { cacheDirectory } = options;
  return await bundleEnvironment({ directory, cacheDirectory, offline });
}

async function facts(project: Project): Promise<unknown> {
  const { directory } = await bundle(project);
  const path = join(directory, "bundle", "environment.js");
  return (await import(pathToFileURL(path).href)).tasks["tasks/main.ts"].facts;
}

test("an environment's packages are installed into the cache", async () => {
  await registry().publish({
    name: "words",
    version: "1.0.0",
    manifest: { type: "module" },
    files: {
      "index.js": 'import { readFileSync } from "node:fs";\n' +
        'export const words = readFileSync(new URL("./words.txt", import.meta.url), "utf8");',
      "words.txt": "carrot",
    },
  });
  await registry().publish({
    name: "@jsr/acme__lib",
    version: "1.0.0",
    manifest: { dependencies: { words: "^1" } },
    files: { "index.js": 'export { words as again } from "words";' },
  });
  await using project = await tempProject(registry());
  await project.write("deno.json", '{ "imports": { "words": "npm:words@^1" } }');
  await project.write(
    MAIN,
    `
    import { words } from "words";
    import { again } from "jsr:@acme/lib@1";
    export const facts = [words, again];`,
  );
  assertEquals(await facts(project), ["carrot", "carrot"]);
  const { digest } = await bundle(project, true);
  assertEquals((await bundle(project)).digest, digest);
  assert(!(await Deno.stat(join(project.directory, "node_modules")).catch(() => false)));
});

test("deno.lock binds an environment's versions, also of what they need", async () => {
  for (const version of ["1.0.0", "1.1.0", "2.0.0"]) {
    await registry().publish({
      name: "bound",
      version,
      manifest: { dependencies: { inner: "*" } },
      files: { "index.js": `exports.v = "${version} " + require("inner").version;` },
    });
    await registry().publish({ name: "inner", version });
  }
  await registry().publish({ name: "free", version: "1.0.0" });
  await registry().publish({ name: "free", version: "1.1.0", time: new Date().toISOString() });
  await using project = await tempProject(registry());
  await project.write(
    "deno.lock",
    JSON.stringify({
      version: "5",
      specifiers: { "npm:bound@1": "1.0.0", "npm:bound@2": "2.0.0" },
      npm: {
        "bound@1.0.0": { dependencies: ["inner@1.0.0"] },
        "bound@2.0.0": { dependencies: ["inner@1.1.0"] },
        "inner@1.0.0": {},
        "inner@1.1.0": {},
      },
    }),
  );
  await project.write(
    MAIN,
    `
    import { v as one } from "npm:bound@1";
    import { v as two } from "npm:bound@2";
    export const facts = [one, two];`,
  );
  assertEquals(await facts(project), ["1.0.0 1.0.0", "2.0.0 1.1.0"]);
  // What it does not name must be old enough.
  await project.write(
    MAIN,
    `
    import { v } from "npm:bound@1";
    import { version } from "npm:free@^1";
    export const facts = [v, version];`,
  );
  assertEquals(await facts(project), ["1.0.0 1.0.0", "1.0.0"]);
});

test("a deno.lock whose content the registry does not have is refused", async () => {
  await registry().publish({ name: "other", version: "1.0.0" });
  await using project = await tempProject(registry());
  await project.write(MAIN, 'import "npm:other@1";');
  const lock = (packages: unknown) =>
    project.write(
      "deno.lock",
      JSON.stringify({ version: "5", specifiers: { "npm:other@1": "1.0.0" }, npm: packages }),
    );
  await lock({ "other@1.0.0": { integrity: `sha512-${"A".repeat(86)}==` } });
  const refusal = await refusalOf(bundle(project));
  assertEquals(refusal.code, "usage");
  assertStringIncludes(refusal.message, "differs from what is expected");
  await lock({});
  assertStringIncludes((await refusalOf(bundle(project))).message, 'it has no "npm:other@1.0.0"');
  await lock({ "other@1.0.0": { dependencies: ["../../x@npm:other@1.0.0"] } });
  assertStringIncludes((await refusalOf(bundle(project))).message, "deno.lock");
});

test("an environment's .npmrc names registries, and nothing else", async () => {
  await registry().publish({ name: "@private/tool", version: "1.0.0" });
  await using project = await tempProject(registry());
  const { url, token } = registry();
  await project.write(".npmrc", `registry=${url}\n${url.slice(5)}:_authToken=${token}\n`);
  await project.write(MAIN, 'import "npm:@private/tool@1";');
  const refusal = await refusalOf(bundle(project));
  assertStringIncludes(refusal.message, "the registry refuses access");
});
