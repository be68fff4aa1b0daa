import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { embeddedPath } from "../../src/base/embedded.ts";
import { run } from "../../src/base/process.ts";
import { denoCommand } from "../../src/base/self_command.ts";
import { readEsbuildPackage } from "../../src/loader/bundler/esbuild_package.ts";
import { textOf } from "../cli/karotte.ts";
import { type BareMachine, bareMachine, binaryTest } from "./binary.ts";

const MEGABYTE = 1_000_000;

/** Runs a module as part of the compiled program, as scripts of environments are. */
async function inside(machine: BareMachine, source: string, args: readonly string[] = []) {
  const probe = join(machine.path, "probe.js");
  await Deno.writeTextFile(probe, source);
  return await machine.karotte(["exec", probe, ...args]);
}

binaryTest("it prints its version, and is no larger than it was promised to be", async (binary) => {
  await using machine = await bareMachine(binary);
  const root = fromFileUrl(new URL("../../", import.meta.url));
  const { version } = JSON.parse(await Deno.readTextFile(join(root, "deno.json")));
  const said = await machine.karotte(["--version"]);
  assertEquals(said, { code: 0, stdout: `${version}\n`, stderr: "" });
  const { size } = await Deno.stat(binary);
  assert(size <= 115 * MEGABYTE, `${size} bytes`);
});

binaryTest("it carries the bundler and the harness as they were packed", async (binary) => {
  await using machine = await bareMachine(binary);
  const names = ["esbuild.js", "esbuild.wasm", "karotte.js"] as const;
  const places = names.map((name) => [name, embeddedPath(name)]);
  const { code, stderr } = await inside(
    machine,
    `import { gunzipSync } from "node:zlib";
     for (const [name, place] of ${JSON.stringify(places)}) {
       const packed = Deno.readFileSync(new URL(place, Deno.mainModule));
       Deno.writeFileSync(name, gunzipSync(packed));
     }`,
  );
  assertEquals([code, stderr], [0, ""]);
  const { script, wasm } = await readEsbuildPackage();
  assertEquals(await Deno.readTextFile(join(machine.path, "esbuild.js")) === script, true);
  const carried = await Deno.readFile(join(machine.path, "esbuild.wasm"));
  assertEquals(carried.length, wasm.length);
  assertEquals(carried.every((byte, index) => byte === wasm[index]), true);

  const harness = denoCommand(Deno.execPath(), join(machine.path, "karotte.js"));
  const { code: status, stderr: said } = await run([...harness, "dance"], { cwd: "/" });
  assertEquals(status, 1);
  assertStringIncludes(textOf(said), 'unknown command "dance" in a sandbox');
});

binaryTest(
  "scripts get their own arguments, the sdk, threads and the C library",
  async (binary) => {
    await using machine = await bareMachine(binary);
    const { stdout, stderr } = await inside(
      machine,
      `const { z } = globalThis[Symbol.for("karotte.sdk")].zod;
     const worker = new Worker("data:text/javascript,postMessage(6*7)", { type: "module" });
     const answer = await new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
     worker.terminate();
     const { symbols } = Deno.dlopen("libc.so.6", { getpid: { parameters: [], result: "i32" } });
     console.log(z.number().parse(answer), symbols.getpid() === Deno.pid, Deno.args);
     setTimeout(() => console.log("late"), 1);`,
      ["--help", "a b"],
    );
    assertEquals([stdout, stderr], ['42 true [ "--help", "a b" ]\nlate\n', ""]);
  },
);

binaryTest("a fault in a script is told with its place, as Deno does", async (binary) => {
  await using machine = await bareMachine(binary);
  for (const source of ["\nthrow new Error('no');", "\nPromise.reject(new Error('no'));"]) {
    const { code, stderr } = await inside(machine, source);
    assertEquals(code, 1);
    assertStringIncludes(stderr, "Error: no\n");
    assertStringIncludes(stderr, "/probe.js:2:");
  }
});
