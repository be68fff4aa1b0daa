import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KarotteError } from "../base/errors.ts";
import { run } from "../base/process.ts";
import { tempDir } from "../base/temp_dir.ts";
import { bundleProgram } from "./program.ts";
import { PLAIN_TEXT } from "../../tests/support/plain_text.ts";

const PUBLISH = fileURLToPath(new URL("../sdk/publish.ts", import.meta.url));

Deno.test("bundleProgram() makes one file that runs with no cache, config or network", async () => {
  await using folder = await tempDir();
  const entry = join(folder.path, "program.ts");
  await Deno.writeTextFile(
    entry,
    `import { publishSdk } from ${JSON.stringify(PUBLISH)};
     const { zod } = publishSdk();
     console.log(zod.z.string().parse("parsed"), Deno.args, import.meta.main);`,
  );
  const program = await bundleProgram({ cacheDirectory: join(folder.path, "cache"), entry });
  const options = ["--no-config", "--no-lock", "--no-remote", "--cached-only"];
  const { stdout, stderr } = await run(
    [Deno.execPath(), "run", "-A", ...options, program, "harness"],
    { cwd: "/", env: { DENO_DIR: join(folder.path, "empty"), ...PLAIN_TEXT } },
  );
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assertEquals(text(stdout), 'parsed [ "harness" ] true\n', text(stderr));
});

Deno.test("bundleProgram() notices a changed source and a changed program", async () => {
  await using folder = await tempDir();
  const cacheDirectory = join(folder.path, "cache");
  const entry = join(folder.path, "program.ts");
  const bundle = () => bundleProgram({ cacheDirectory, entry });
  await Deno.writeTextFile(entry, 'import "./part.ts";');
  await Deno.writeTextFile(join(folder.path, "part.ts"), "console.log(1);");
  const first = await bundle();
  const whole = await Deno.readTextFile(first);
  assertEquals(await bundle(), first);
  await Deno.writeTextFile(first, "planted");
  assertEquals(await bundle(), first);
  assertEquals(await Deno.readTextFile(first), whole);
  await Deno.writeTextFile(join(folder.path, "part.ts"), "console.log(2);");
  const second = await bundle();
  assertEquals((await Deno.readTextFile(second)).includes("console.log(2)"), true);
});

Deno.test("bundleProgram() names what it can't find", async () => {
  await using folder = await tempDir();
  const entry = join(folder.path, "program.ts");
  await Deno.writeTextFile(entry, '\nimport "not-installed";');
  await assertRejects(
    () => bundleProgram({ cacheDirectory: join(folder.path, "cache"), entry }),
    KarotteError,
    `${entry}:2: Cannot import "not-installed": not found`,
  );
});

/** Modules of node that take a millisecond or two to load; others take longer than all of Deno. */
const LIGHT = ["node:buffer", "node:path", "node:timers/promises", "node:url"];

Deno.test("the harness starts without the heavy modules of node", async () => {
  await using folder = await tempDir();
  const program = await bundleProgram({ cacheDirectory: join(folder.path, "cache") });
  const text = await Deno.readTextFile(program);
  const imported = [...text.matchAll(/^import .*"(.+)";$/gm)].map(([, name = ""]) => name);
  assertEquals([...new Set(imported)].filter((name) => !LIGHT.includes(name)), []);
});
