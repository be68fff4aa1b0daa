import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, relative } from "@std/path";
import type { ProgramBuild } from "../../src/loader/bundler/program_build.ts";
import { codeOf } from "../imports_of.ts";
import { bundle } from "./bundle.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
// Once for all tests, and outside of them: what it leaves running is no leak of the first.
// Outside of the tests: what the bundler leaves running would be the leak of one of them.
const bundled = await bundle();

/** `main.js` and what loads with it, by name. */
function loadedAtOnce(outputs: ProgramBuild["outputs"]): Set<string> {
  const loaded = new Set<string>();
  const load = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const { path, kind, external } of outputs[name]?.imports ?? []) {
      if (kind === "import-statement" && !external) load(path);
    }
  };
  load("main.js");
  return loaded;
}

Deno.test("the bundle loads commands, their packages and the harness on demand", () => {
  const { outputs } = bundled.program;
  const atOnce = [...loadedAtOnce(outputs)];
  const bytes = atOnce.reduce((sum, name) => sum + (outputs[name]?.bytes ?? 0), 0);
  assert(bytes < 40_000, `${atOnce}: ${bytes} bytes`);
  const onDemand = Object.entries(outputs).flatMap(([name, { entryPoint }]) =>
    entryPoint === undefined || atOnce.includes(name) ? [] : [relative(ROOT, `/${entryPoint}`)]
  );
  const expected = ["create_env", "run", "tasks", "check", "help"].map((name) =>
    `src/cli/${name}.ts`
  );
  assertEquals(expected.filter((path) => !onDemand.includes(path)), []);
  const packages = atOnce.flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}))
    .filter((path) => path.includes("node_modules"));
  assertEquals(packages, []);
});

Deno.test("a name that is taken of a package which loads on demand is one that the bundle exports", async () => {
  const { inputs, outputs, files } = bundled.program;
  const missing: string[] = [];
  for (const path of Object.keys(inputs).filter((path) => path.startsWith(`${ROOT}src/`))) {
    const taken = (await Deno.readTextFile(path)).matchAll(TAKEN);
    for (const [, names = "", specifier = ""] of taken) {
      const name = namesOf(names).filter((name) => !exportsOf(specifier).has(name));
      if (name.length > 0) missing.push(`${relative(ROOT, path)}: ${name} of "${specifier}"`);
    }
  }
  assertEquals(missing, []);

  /** What the file that a package became exports. */
  function exportsOf(specifier: string): Set<string> {
    const [output] = Object.entries(outputs).filter(([, { entryPoint }]) =>
      entryPoint?.includes(`/node_modules/${specifier}/`)
    );
    return new Set(output !== undefined && files.has(output[0]) ? output[1].exports : []);
  }
});

/** `const { a, b: c } = await import("package")` */
const TAKEN = /const \{ ([^=;]+) \} = await import\("([^".:][^":]*)"\)/g;

/** The names before what they are called: `default` of `default: { parse }`. */
function namesOf(pattern: string): string[] {
  return pattern.replace(/\{[^}]*\}/g, "").split(",").map((part) => part.split(":")[0]!.trim());
}

Deno.test("no bundled module depends on its own file's place", async () => {
  const { inputs } = bundled.program;
  const knowing = await Promise.all(
    Object.keys(inputs).map(async (path) => {
      const code = codeOf(await Deno.readTextFile(path));
      return /\bimport\.meta\b/.test(code) ? [relative(ROOT, path)] : [];
    }),
  );
  assertEquals(knowing.flat().sort(), [
    "main.ts", // asks whether it is the main module, which it is in the bundle too
    // These ask first whether the program is compiled:
    "src/host/source_tree.ts",
    "src/loader/bundler/esbuild_package.ts",
    "src/loader/program.ts",
    "src/plugins/plugin_faults.ts",
  ]);
});

Deno.test("what CommonJS knows of its place is the same wherever the bundle is", () => {
  const { program, harness } = bundled;
  for (const { files } of [program, harness]) {
    for (const [name, text] of files) {
      const places = codeOf(text).match(/\b__(?:dir|file)name\b(?!:)/g);
      assertEquals([name, places], [name, null]);
    }
  }
});

Deno.test("the bundles import nothing but node's own modules and their other files", () => {
  const { program, harness } = bundled;
  for (const { files, outputs } of [program, harness]) {
    const outside = Object.values(outputs).flatMap(({ imports }) => imports)
      .filter(({ path, external }) => external ? !path.startsWith("node:") : !files.has(path));
    assertEquals(outside, []);
  }
});
