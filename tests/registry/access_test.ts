import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { within } from "../../src/base/promises.ts";
import { refusalOf, tempProject } from "./project.ts";
import { registryTests, sanitizeResources } from "./registry_tests.ts";

const { registry, test } = await registryTests();

/** Where npm on this machine installs from. */
const PUBLIC_REGISTRY = Deno.env.get("NPM_CONFIG_REGISTRY") ?? "https://registry.npmjs.org/";

async function publicRegistryAnswers(): Promise<boolean> {
  const { hostname, port, protocol } = new URL(PUBLIC_REGISTRY);
  const standard = protocol === "https:" ? 443 : 80;
  try {
    const connecting = Deno.connect({ hostname, port: Number(port) || standard });
    const connection = await within(connecting, 5000, undefined);
    connection?.close();
    return connection !== undefined;
  } catch {
    return false;
  }
}

test("tokens of .npmrc open private packages, and are never shown", async () => {
  await registry().publish({ name: "@private/tool", version: "1.0.0" });
  await using project = await tempProject(registry());
  const { url, token } = registry();
  const npmrc = (secret: string) =>
    project.write(".npmrc", `registry=${url}\n${url.slice(5)}:_authToken=${secret}\n`);
  const without = await refusalOf(project.load("npm:@private/tool@1"));
  assertStringIncludes(without.message, "the registry refuses access");
  assertStringIncludes(without.hint ?? "", ".npmrc");
  await npmrc("wrong-secret-token");
  const wrong = await refusalOf(project.load("npm:@private/tool@1"));
  assert(!Deno.inspect(wrong).includes("wrong-secret-token"));
  await npmrc(token);
  assertEquals((await project.load("npm:@private/tool@1")).version, "1.0.0");
  for await (const entry of Deno.readDir(join(project.options.cacheDirectory, "packages"))) {
    if (!entry.isFile || !entry.name.endsWith(".json")) continue;
    const path = join(project.options.cacheDirectory, "packages", entry.name);
    assert(!(await Deno.readTextFile(path)).includes(token));
  }
  assert(!(await Deno.readTextFile(project.options.lockFile ?? "")).includes(token));
});

Deno.test("a registry that is down is an error that says so, without its password", async () => {
  const { port } = (() => {
    using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    return listener.addr;
  })();
  await using project = await tempProject({ url: `http://user:pass-word@127.0.0.1:${port}/` });
  const { message, hint } = await refusalOf(project.load("npm:anything@1"));
  assertStringIncludes(message, 'Cannot install "npm:anything@1": the registry can\'t be reached');
  assertStringIncludes(hint ?? "", "--offline");
  assert(!message.includes("pass-word"), message);
});

Deno.test("a registry that hangs is given up", { sanitizeResources }, async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const connections: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of listener) connections.push(connection);
  })();
  await using project = await tempProject({ url: `http://127.0.0.1:${listener.addr.port}/` });
  const { message } = await refusalOf(project.load("npm:anything@1", { networkTimeoutMs: 300 }));
  assertStringIncludes(message, "the registry can't be reached");
  const stop = new AbortController();
  const loading = project.load("npm:anything@1", { signal: stop.signal });
  stop.abort(new Error("stopped by the test"));
  assertEquals(await loading.catch((error) => error.message), "stopped by the test");
  for (const connection of connections) connection.close();
  listener.close();
  await accepting;
});

Deno.test({
  name: "a package of the public registry is loaded",
  ignore: !(await publicRegistryAnswers()),
  sanitizeResources,
  async fn() {
    await using project = await tempProject({ url: PUBLIC_REGISTRY });
    const { namespace, version } = await project.load("npm:is-number@7.0.0");
    assert(typeof namespace.default === "function");
    assertEquals([namespace.default(5), version], [true, "7.0.0"]);
  },
});
