import { assertEquals, assertRejects } from "@std/assert";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { KarotteError } from "../../base/errors.ts";
import { run } from "../../base/process.ts";
import { tempDir } from "../../base/temp_dir.ts";
import { buildProgram, type ProgramBuildOptions } from "./program_build.ts";
import { PLAIN_TEXT } from "../../../tests/support/plain_text.ts";

/** Bundles `main.ts` of the files, runs the result and returns what it prints. */
async function printed(
  files: Record<string, string>,
  options: (folder: string) => Partial<ProgramBuildOptions> = () => ({}),
): Promise<string> {
  await using folder = await tempDir();
  for (const [path, content] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(folder.path, path)), { recursive: true });
    await Deno.writeTextFile(join(folder.path, path), content);
  }
  const entry = join(folder.path, "main.ts");
  const program = await buildProgram({ entry, ...options(folder.path) });
  const out = join(folder.path, "out");
  await Deno.mkdir(out, { recursive: true });
  for (const [name, text] of program.files) await Deno.writeTextFile(join(out, name), text);
  const argv = [Deno.execPath(), "run", "-A", "--no-config", "--no-lock", join(out, "main.js")];
  const { stdout, stderr } = await run(argv, { cwd: out, env: PLAIN_TEXT });
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

const packaged = (name: string, main: string, more: Record<string, string> = {}) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: "main.js" }),
  [`node_modules/${name}/main.js`]: main,
  ...more,
});

Deno.test("buildProgram() takes all that a CommonJS package exports for its default", async () => {
  const said = await printed({
    "main.ts": 'import all, { named } from "old"; console.log(JSON.stringify(all), named);',
    ...packaged(
      "old",
      'Object.defineProperty(exports, "__esModule", { value: true });\n' +
        "exports.default = 1;\nexports.named = 2;",
    ),
  });
  assertEquals(said, '{"default":1,"named":2} 2\n');
});

Deno.test("buildProgram() gives packages node's modules, by both of their names", async () => {
  const said = await printed({
    "main.ts": 'import "old";',
    ...packaged(
      "old",
      'console.log(require("fs") === require("node:fs"), typeof require("fs").readFileSync);',
    ),
  });
  assertEquals(said, "true function\n");
});

Deno.test("buildProgram() never looks on the disk for what a package does without", async () => {
  const said = await printed({
    "main.ts": 'import "old";',
    ...packaged(
      "old",
      `try { require("optional"); } catch (error) { console.log(error.code, error.message); }
       console.log(__dirname, __filename);`,
    ),
    // Where the bundle runs there is one.
    ...Object.fromEntries(
      Object.entries(packaged("optional", "console.log('planted');"))
        .map(([path, text]) => [`out/${path}`, text]),
    ),
  });
  assertEquals(
    said,
    "MODULE_NOT_FOUND Cannot find module 'optional'\n/dev/null /dev/null/karotte.js\n",
  );
});

Deno.test("buildProgram() refuses a package whose imports it can't see", async () => {
  const building = printed({
    "main.ts": 'import "hidden";',
    ...packaged("hidden", "((load) => load('./part.js'))(require);"),
  });
  await assertRejects(() => building, KarotteError, 'Indirect calls to "require"');
});

Deno.test("buildProgram() splits, and takes a bare name for another module", async () => {
  const said = await printed(
    {
      "main.ts": 'console.log("first"); console.log((await import("late")).value);',
      "stands_in.ts": "console.log(import.meta.main); export const value: number = 7;",
    },
    (folder) => ({ splitting: true, aliases: new Map([["late", join(folder, "stands_in.ts")]]) }),
  );
  assertEquals(said, "first\nfalse\n7\n");
});

Deno.test("a bundle reads ranges of versions and .npmrc: their packages are CommonJS", async () => {
  const own = (path: string) => JSON.stringify(fileURLToPath(import.meta.resolve(path)));
  const said = await printed({
    "main.ts": `
      import { versionRanges } from ${own("../version_ranges.ts")};
      import { parseNpmrc } from ${own("../packages/npmrc.ts")};
      const { satisfies, isRange } = await versionRanges();
      const npmrc = await parseNpmrc("a=1", undefined);
      console.log(satisfies("1.5.0", "1 - 2"), isRange("latest"), npmrc.get("a"));`,
  }, () => ({ splitting: true }));
  assertEquals(said, "true false 1\n");
});
