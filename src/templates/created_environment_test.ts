import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { fileURLToPath } from "node:url";
import { run } from "../base/process.ts";
import { type TempDir, tempDir } from "../base/temp_dir.ts";
import { createEnvironment } from "./create_environment.ts";

const SOURCE_TREE = fileURLToPath(new URL("../../", import.meta.url));

/** Whatever tries to reach a registry fails at once. */
const NO_NETWORK = { http_proxy: "http://127.0.0.1:9", https_proxy: "http://127.0.0.1:9" };

async function garden(dir: TempDir): Promise<string> {
  // A name with all that is special in URLs, globs and command lines.
  const directory = join(dir.path, "my #1 gärten (50%)");
  await createEnvironment({ directory, sourceTree: SOURCE_TREE });
  return directory;
}

/** Runs deno in a new environment, as its author would: without any option of ours. */
async function assertSucceeds(subcommand: string[], cwd: string): Promise<void> {
  const env = { ...NO_NETWORK, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const result = await run([Deno.execPath(), ...subcommand], { cwd, env, timeoutMs: 300_000 });
  const output = new TextDecoder().decode(result.stdout) + new TextDecoder().decode(result.stderr);
  assertEquals(result.code, 0, output);
}

Deno.test("a new environment passes deno check and deno test without a network", async () => {
  await using dir = await tempDir();
  const directory = await garden(dir);
  await assertSucceeds(["check"], directory);
  await assertSucceeds(["test"], directory);
});

Deno.test("a new environment is linted and formatted", async () => {
  await using dir = await tempDir();
  const directory = await garden(dir);
  await assertSucceeds(["lint"], directory);
  // Its README is the one file in which the name stands as Markdown.
  await assertSucceeds(["fmt", "--check", "src", "tests", "AGENTS.md", "deno.json"], directory);
});
