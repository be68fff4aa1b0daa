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

/** The registry is the user's: a project can't name one on loopback. */
async function bundle({ directory, options }: Project, offline = false) {
  const { cacheDirectory } = options;
  const { url } = registry();
  const variables: Record<string, string> = {
    NPM_CONFIG_REGISTRY: url,
    KAROTTE_JSR_NPM_REGISTRY: url,
    NPM_CONFIG_USERCONFIG: join(directory, "..", "user.npmrc"),
  };
  const variable = (name: string) => variables[name];
  return await bundleEnvironment({ directory, cacheDirectory, offline, variable });
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

test("an environment's .npmrc names public registries, and nothing else", async () => {
  await registry().publish({ name: "@private/tool", version: "1.0.0" });
  await using project = await tempProject(registry());
  const { url, token } = registry();
  await project.write(MAIN, 'import "npm:@private/tool@1";');
  await project.write(".npmrc", `registry=${url}\n${url.slice(5)}:_authToken=${token}\n`);
  assertStringIncludes((await refusalOf(bundle(project))).message, "the registry refuses access");
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  for (
    const strange of [
      `http://127.0.0.1:${listener.addr.port}/`,
      `https://localhost:${listener.addr.port}/`,
      "https://169.254.169.254/latest/",
      "http://registry.example.com/",
      "https://npm.corp.internal/",
      "file:///etc/",
    ]
  ) {
    await project.write(".npmrc", `@private:registry=${strange}\n`);
    const { message, hint } = await refusalOf(bundle(project));
    assertStringIncludes(message, `Cannot use the registry "${strange}" of "${project.directory}`);
    assertStringIncludes(message, "it is not public, over https");
    assertStringIncludes(hint ?? "", "your own .npmrc");
  }
});

/** A server that hands out what it is told to, and the paths that it was asked for. */
function answering(answers: (path: string) => Response) {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const path = decodeURIComponent(new URL(url).pathname);
    asked.push(path);
    return answers(path);
  });
  return { asked, port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

test("a stranger's package in the cache is never that of another environment", async () => {
  const name = "@jsr/acme__poison";
  const version = (text: string) => ({
    name,
    version: "1.0.0",
    files: { "index.js": `export const from = ${JSON.stringify(text)};` },
    manifest: { type: "module" },
  });
  await using stranger = await tempProject(registry());
  await using victim = await tempProject(registry());
  const shared = { ...victim, options: { ...victim.options, ...stranger.options } };
  for (const project of [stranger, victim]) {
    await project.write(
      MAIN,
      'import { from } from "jsr:@acme/poison@1"; export const facts = from;',
    );
    // What a lock file says of JSR's packages is not the digest of what npm's code gets.
    const lock = {
      version: "5",
      specifiers: { "jsr:@acme/poison@1": "1.0.0" },
      jsr: { "@acme/poison@1.0.0": { integrity: "0".repeat(64) } },
    };
    await project.write("deno.lock", JSON.stringify(lock));
  }
  await registry().publish(version("honest"));
  const { versions } = await (await fetch(registry().url + name)).json();
  const archive = await (await fetch(versions["1.0.0"].dist.tarball)).bytes();
  // The same package from somewhere else, with other content.
  await registry().publish({ ...version("stranger"), name: "@jsr/acme__other" });
  const other = await (await fetch(registry().url + "@jsr/acme__other")).json();
  const poison = await (await fetch(other.versions["1.0.0"].dist.tarball)).bytes();
  await using elsewhere = answering((path) =>
    path.endsWith(".tgz") ? new Response(poison) : Response.json({
      name,
      "dist-tags": { latest: "1.0.0" },
      versions: {
        "1.0.0": { name, version: "1.0.0", type: "module", dist: { tarball: tarball() } },
      },
      time: { "1.0.0": "2020-01-01T00:00:00.000Z" },
    })
  );
  const tarball = () => `http://127.0.0.1:${elsewhere.port}/poison.tgz`;
  const strange: Record<string, string> = {
    KAROTTE_JSR_NPM_REGISTRY: `http://127.0.0.1:${elsewhere.port}/`,
    NPM_CONFIG_USERCONFIG: "/dev/null",
  };
  // The stranger's registry counts here as the user's, or it would be refused for being local.
  await stranger.write(".npmrc", "");
  const { cacheDirectory } = stranger.options;
  await bundleEnvironment({
    directory: stranger.directory,
    cacheDirectory,
    variable: (variableName) => strange[variableName],
  });
  assert(elsewhere.asked.includes("/poison.tgz"));
  assertEquals(archive.length > 0, true);
  assertEquals(await facts({ ...shared, directory: victim.directory }), "honest");
});

test("versions without a date are too young, but for three ways", async () => {
  await registry().publish({ name: "dated", version: "1.0.0" });
  const { versions, time } = await (await fetch(registry().url + "dated")).json();
  const { dist } = versions["1.0.0"];
  await using undated = answering(() =>
    Response.json({
      name: "dated",
      "dist-tags": { latest: "1.0.0" },
      versions: { "1.0.0": { name: "dated", version: "1.0.0", dist } },
    })
  );
  assert(time !== undefined);
  await using project = await tempProject(registry());
  await project.write(".npmrc", "");
  await project.write(MAIN, 'import { version } from "npm:dated@1"; export const facts = version;');
  const { directory, options: { cacheDirectory } } = project;
  const user = join(directory, "..", "user.npmrc");
  await Deno.writeTextFile(user, `registry=http://127.0.0.1:${undated.port}/\n`);
  const call = (ageDelayExemptions: string[] = []) =>
    bundleEnvironment({
      ...{ directory, cacheDirectory, ageDelayExemptions },
      variable: (name) => name === "NPM_CONFIG_USERCONFIG" ? user : undefined,
    });
  const { message, hint } = await refusalOf(call());
  assertStringIncludes(message, 'does not say when the versions of "dated" were published');
  for (const way of ["a lock file", "age_delay_exemptions", "min-release-age-exclude"]) {
    assertStringIncludes(hint ?? "", way);
  }
  // A project can't exempt itself.
  await project.write(".npmrc", "min-release-age-exclude[]=dated\n");
  assertStringIncludes((await refusalOf(call())).message, "does not say when");
  const again = async () =>
    await project.write(
      MAIN,
      `${await Deno.readTextFile(
        join(directory, MAIN),
      )}\n`,
    );
  await call(["dated"]);
  const fresh = `${cacheDirectory}-2`;
  const elsewhere = { directory, cacheDirectory: fresh };
  const npmrc = await Deno.readTextFile(user);
  await Deno.writeTextFile(user, `${npmrc}min-release-age-exclude[]=dated\n`);
  await again();
  const variable = (name: string) => name === "NPM_CONFIG_USERCONFIG" ? user : undefined;
  await bundleEnvironment({ ...elsewhere, variable });
  await Deno.writeTextFile(user, npmrc);
  await project.write(
    "deno.lock",
    JSON.stringify({
      version: "5",
      specifiers: { "npm:dated@1": "1.0.0" },
      npm: { "dated@1.0.0": { integrity: dist.integrity } },
    }),
  );
  await bundleEnvironment({ directory, cacheDirectory: `${cacheDirectory}-3`, variable });
});
