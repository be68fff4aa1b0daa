import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { fileURLToPath } from "node:url";
import { run } from "../base/process.ts";
import { type TempDir, tempDir } from "../base/temp_dir.ts";
import { npmRegistry } from "../../tests/support/npm_registry.ts";
import { createEnvironment } from "./create_environment.ts";
import { PLAIN_TEXT } from "../../tests/support/plain_text.ts";

const SOURCE_TREE = fileURLToPath(new URL("../../", import.meta.url));

/** Whatever tries to reach another machine fails at once. */
const NO_NETWORK = {
  http_proxy: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
  no_proxy: "127.0.0.1",
};

async function garden(dir: TempDir): Promise<string> {
  // A name with all that is special in URLs, globs and command lines.
  const directory = join(dir.path, "my #1 gärten (50%)");
  await createEnvironment({ directory, sourceTree: SOURCE_TREE });
  return directory;
}

/**
 * Runs deno in a new environment, as its author would: without any option of ours, on a machine
 * that has no package yet.
 */
async function assertSucceeds(subcommand: string[], cwd: string, more = {}): Promise<void> {
  const env = { ...NO_NETWORK, ...PLAIN_TEXT, DENO_NO_UPDATE_CHECK: "1", ...more };
  const result = await run([Deno.execPath(), ...subcommand], { cwd, env, timeoutMs: 300_000 });
  const output = new TextDecoder().decode(result.stdout) + new TextDecoder().decode(result.stderr);
  assertEquals(result.code, 0, output);
}

Deno.test("a new environment passes deno check and deno test, and needs but npm's zod for it", async () => {
  await using dir = await tempDir();
  await using registry = npmRegistry();
  const directory = await garden(dir);
  const env = { NPM_CONFIG_REGISTRY: registry.url, DENO_DIR: join(dir.path, "deno") };
  await assertSucceeds(["check"], directory, env);
  await assertSucceeds(["test"], directory, env);
  assertEquals(registry.asked, ["zod"]);
});

Deno.test("a new environment is linted and formatted", async () => {
  await using dir = await tempDir();
  const directory = await garden(dir);
  await assertSucceeds(["lint"], directory);
  // Its README is the one file in which the name stands as Markdown.
  await assertSucceeds(["fmt", "--check", "src", "tests", "AGENTS.md", "deno.json"], directory);
});
