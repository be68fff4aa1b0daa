import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { run } from "../base/process.ts";
import { tempDir } from "../base/temp_dir.ts";
import { PLAIN_TEXT } from "../../tests/support/plain_text.ts";

/** What a program of its own prints: a module that never settles is left behind in its process. */
async function printed(module: string, body: string): Promise<string> {
  await using folder = await tempDir();
  const path = join(folder.path, "module.js");
  await Deno.writeTextFile(path, module);
  const script = join(folder.path, "program.ts");
  const importModule = new URL("./import_module.ts", import.meta.url).href;
  await Deno.writeTextFile(
    script,
    `import { importModule } from ${JSON.stringify(importModule)};
     const path = ${JSON.stringify(path)};
     const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
     ${body}
     Deno.exit(0);`,
  );
  const argv = [Deno.execPath(), "run", "-A", "--no-config", "--no-lock", "--quiet", script];
  const { code, stdout, stderr } = await run(argv, { env: PLAIN_TEXT });
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  return new TextDecoder().decode(stdout);
}

const REFUSED = `
  try {
    await importModule(path, { specifier: "x", timeoutMs: 100 });
  } catch (error) {
    console.log(error.message);
  }
  await pause(300);
  console.log("went on");`;

Deno.test("importModule() goes on without a module whose top level does not settle", async () => {
  assertEquals(
    await printed("await new Promise(() => {});", REFUSED),
    'Cannot load "x": its top level did not end within 0.1 s\nwent on\n',
  );
});

Deno.test("importModule() ignores what a module does too late", async () => {
  const late = "await new Promise((_, reject) => setTimeout(() => reject('late'), 200));";
  assertEquals(
    await printed(late, REFUSED),
    'Cannot load "x": its top level did not end within 0.1 s\nwent on\n',
  );
});

Deno.test("importModule() stops waiting when it is told to", async () => {
  const body = `
    const stop = new AbortController();
    const loading = importModule(path, { specifier: "x", timeoutMs: 60_000, signal: stop.signal });
    stop.abort(new Error("stopped"));
    console.log(await loading.then(() => "loaded", (error) => error.message));`;
  assertEquals(await printed("await new Promise(() => {});", body), "stopped\n");
});
