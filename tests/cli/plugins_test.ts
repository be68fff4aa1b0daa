import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { tempDir } from "../../src/base/temp_dir.ts";
import { makeOwn } from "../support/own_folder.ts";
import { karotte, type Said } from "./karotte.ts";

/** A folder with files, and `karotte` in it with no other plugins than its own. */
async function folderWith(files: Readonly<Record<string, string>>) {
  const dir = await tempDir();
  const path = await Deno.realPath(dir.path);
  const write = (file: string, text: string) => Deno.writeTextFile(join(path, file), text);
  for (const [file, text] of Object.entries(files)) await write(file, text);
  await makeOwn(path, path);
  // A cache below node_modules would do, but there Deno applies no source maps to errors.
  const env = { HOME: path, XDG_CONFIG_HOME: "", KAROTTE_CACHE: join(path, ".cache", "karotte") };
  const call = (...args: string[]): Promise<Said> => karotte(args, { cwd: path, env });
  return { path, write, call, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

const MANIFEST = "karotte.plugins.json";

const TOOL = `
  import { definePlugin } from "@karotte/cli/sdk";
  console.error("imported");
  export default definePlugin({
    name: "acme",
    entryPoints: {
      "karotte.cli": {
        mytool: {
          description: "Does things.",
          async main(args, { path, directory, printLine }) {
            printLine(JSON.stringify({ args, path, directory }));
            if (args[0] === "throw") throw "no error";
            if (args[0] === "exit") Deno.exit(9);
            if (args[0] === "late") {
              Promise.reject(new Error("late"));
              await new Promise((resolve) => setTimeout(resolve, 50));
            }
            if (args[0] === "status") return 7;
          },
        },
        run: { description: "Shadows.", main() {} },
      },
    },
  });`;

Deno.test("a plugin's command runs with its arguments as they are", async () => {
  await using folder = await folderWith({
    [MANIFEST]: '{ "plugins": ["./tool.ts"] }',
    "tool.ts": TOOL,
  });
  const said = await folder.call("mytool", "a", "--help", "--", "-x");
  assertEquals(said.code, 0, said.stderr);
  assertEquals(JSON.parse(said.stdout), {
    args: ["a", "--help", "--", "-x"],
    path: "karotte mytool",
    directory: folder.path,
  });
  assertEquals((await folder.call("mytool", "status")).code, 7);
  assertEquals((await folder.call("mytool", "exit")).code, 9);
  const thrown = await folder.call("mytool", "throw");
  assertEquals(thrown.code, 4);
  assertMatch(thrown.stderr, /error: .*plugin "acme" .*: no error$/m);
  const late = await folder.call("mytool", "late");
  assertEquals(late.code, 0);
  assertMatch(late.stderr, /^warning: plugin ".*" failed where nobody waited for it: late$/m);
  const help = (await folder.call("help", "mytool")).stdout;
  assertStringIncludes(help, "It has a help of its own: karotte mytool --help");
});

Deno.test("help lists plugins' commands that are known, and imports none", async () => {
  await using folder = await folderWith({
    [MANIFEST]: '{ "plugins": ["./tool.ts"] }',
    "tool.ts": TOOL,
  });
  const unknown = await folder.call("--help");
  assertEquals(unknown.stdout.includes("mytool"), false);
  const hint = 'not loaded yet, so not listed: "./tool.ts" (karotte plugins check loads them)\n';
  assertEquals(unknown.stderr, hint);
  assertStringIncludes((await folder.call("plugins", "check")).stderr, "imported");
  const first = await folder.call("--help");
  assertMatch(first.stdout, /^ {2}mytool +From plugin "acme"\.$/m);
  assertEquals(first.stderr.includes("imported"), false);
  assertMatch(first.stderr, /entry "run" of karotte\.cli .* is ignored: "karotte run" is built in/);
  assertMatch(first.stdout, /^ {2}run +Run a student/m);
  for (const args of [["--help"], ["help"], [], ["plugins", "list"], ["mytol"]]) {
    assertEquals((await folder.call(...args)).stderr.includes("imported"), false, args.join(" "));
  }
  assertStringIncludes((await folder.call("mytol")).stderr, "did you mean mytool?");
  await folder.write("tool.ts", TOOL.replace("mytool", "newtool"));
  await folder.call("plugins", "check");
  const changed = await folder.call("--help");
  assertEquals([changed.stdout.includes("newtool"), changed.stdout.includes("mytool")], [
    true,
    false,
  ]);
});

Deno.test("a command that a package may have that was never loaded is told how to get", async () => {
  await using folder = await folderWith({ [MANIFEST]: '{ "plugins": ["npm:karotte-none@1"] }' });
  const { code, stderr } = await folder.call("mytool");
  assertEquals(code, 2);
  assertStringIncludes(stderr, 'not loaded yet, so not listed: "npm:karotte-none@1"');
  assertStringIncludes(stderr, "karotte plugins check loads them");
  assertStringIncludes(stderr, 'Cannot run karotte "mytool": no such command');
});

Deno.test("help sees a change in whatever a plugin is made of", async () => {
  await using folder = await folderWith({
    [MANIFEST]: '{ "plugins": ["./plugin.ts"] }',
    "names.ts": 'export const name = "first";',
    "plugin.ts": `
      import { name } from "./names.ts";
      const command = { description: "A command.", main() {} };
      export default { name: "acme", entryPoints: { cli: { [name]: command } } };`,
  });
  const load = () => folder.call("plugins", "check");
  await load();
  const isListed = async (name: string) =>
    new RegExp(`^  ${name} +From plugin "acme"`, "m").test((await folder.call("--help")).stdout);
  assertEquals([await isListed("first"), await isListed("first")], [true, true]);
  await folder.write("names.ts", 'export const name = "second";');
  // What it offered last is listed until it is loaded again.
  assertEquals([await isListed("second"), await isListed("first")], [false, true]);
  await load();
  assertEquals([await isListed("second"), await isListed("first")], [true, false]);
  await folder.write(MANIFEST, "{}");
  assertEquals(await isListed("second"), false);
});

Deno.test("a built-in command neither imports plugins nor minds a broken manifest", async () => {
  await using folder = await folderWith({ [MANIFEST]: "{ broken" });
  assertEquals((await folder.call("create-env", "--help")).code, 0);
  const help = await folder.call("--help");
  assertEquals(help.code, 0);
  assertMatch(help.stderr, /^warning: Cannot read \S+karotte\.plugins\.json:1:3: /);
  const list = await folder.call("plugins", "list");
  assertEquals([list.code, list.stdout], [2, ""]);
  assertMatch(list.stderr, /^error: Cannot read \S+karotte\.plugins\.json:1:3: /);
  assertEquals((await folder.call("--no-plugins", "plugins", "list")).code, 0);
});

Deno.test("list shows every entry without importing, check loads them and says", async () => {
  await using folder = await folderWith({
    [MANIFEST]: `{ "entryPoints": {
      "default_hardware": { "a": "./good.ts#hardware" },
      "cli": { "b": "./bad.ts" }
    } }`,
    "good.ts": 'console.error("imported"); export const hardware = "gpu";',
    "bad.ts": 'throw new Error("broken");',
  });
  const list = await folder.call("plugins", "list", "--json");
  const entry = { version: null, manifest: join(folder.path, MANIFEST), state: "own" };
  assertEquals(JSON.parse(list.stdout).entries, [
    { group: "karotte.cli", name: "b", plugin: "./bad.ts", module: "./bad.ts", ...entry },
    {
      group: "karotte.default_hardware",
      name: "a",
      plugin: "./good.ts#hardware",
      module: "./good.ts#hardware",
      ...entry,
    },
  ]);
  assertEquals(list.stderr, "");
  assertMatch((await folder.call("plugins", "list")).stdout, /^karotte\.cli +b +\.\/bad\.ts +- /m);
  const check = await folder.call("plugins", "check");
  assertEquals(check.code, 4);
  assertMatch(check.stdout, /^karotte\.cli +b .* skipped: bad\.ts:1:7: broken$/m);
  assertMatch(check.stdout, /^ {2}karotte\.default_hardware: "gpu"$/m);
  assertEquals((await folder.call("plugins", "list", "--load")).code, 0);
  assertEquals((await folder.call("plugins", "list", "--load", "--strict-plugins")).code, 4);
});

Deno.test("add and remove work while plugins are broken", async () => {
  await using folder = await folderWith({
    [MANIFEST]: '// mine\n{\n  "plugins": [\n    "./bad.ts" // why\n  ]\n}\n',
    "bad.ts": "syntax error",
    "good.ts": "export default 1;",
  });
  const added = await folder.call("plugins", "add", "./good.ts", "npm:acme@^1");
  assertEquals([added.code, added.stderr], [0, ""]);
  assertEquals((await folder.call("plugins", "remove", "./bad.ts")).code, 0);
  assertEquals((await folder.call("plugins", "remove", "acme")).code, 0);
  const text = await Deno.readTextFile(join(folder.path, MANIFEST));
  assertEquals(text.includes("// mine") && text.includes("// why"), true, text);
  assertEquals([text.includes("./good.ts"), /bad|acme/.test(text)], [true, false]);
  const gone = await folder.call("plugins", "remove", "acme");
  assertEquals(gone.code, 2);
  assertStringIncludes(gone.stderr, "hint: it names ./good.ts");
  const python = await folder.call("plugins", "add", "acme.plugins:app");
  assertEquals(python.code, 4);
  assertStringIncludes(python.stderr, "plugins are JavaScript or TypeScript");
});

Deno.test("add makes the manifest that is named, with paths relative to it", async () => {
  await using folder = await folderWith({ "good.ts": "export default 1;" });
  await folder.call("plugins", "add", "./good.ts", "--plugins", "inner/plugins.json");
  await folder.call("plugins", "add", "./good.ts", "--user");
  const read = async (path: string) => JSON.parse(await Deno.readTextFile(join(folder.path, path)));
  assertEquals((await read("inner/plugins.json")).plugins, ["../good.ts"]);
  assertEquals((await read(".config/karotte/plugins.json")).plugins, ["../../good.ts"]);
  assertStringIncludes((await folder.call("plugins", "add", "./gone.ts")).stderr, "no such file");
});

Deno.test("--with and --plugins stand before the command or after it", async () => {
  await using folder = await folderWith({
    "tool.ts": TOOL,
    "other.json": '{ "entryPoints": { "default_hardware": { "a": "./hardware.ts" } } }',
    "hardware.ts": 'export default "gpu";',
  });
  assertEquals((await folder.call("mytool")).code, 2);
  assertEquals((await folder.call("--with", "./tool.ts", "mytool", "status")).code, 7);
  const names = async (...args: string[]) =>
    JSON.parse((await folder.call(...args)).stdout).entries
      .map(({ name }: { name: string }) => name);
  const list = ["plugins", "list", "--json"];
  assertEquals(await names("--with=./tool.ts", ...list, "--plugins", "other.json"), [
    "mytool",
    "run",
    "a",
  ]);
  assertEquals(await names(...list, "--with", "./tool.ts", "--no-plugins"), []);
  assertEquals((await folder.call("--plugins", "gone.json", ...list)).code, 2);
});

Deno.test("a manifest in a folder that everyone may write to is not loaded", async () => {
  await using folder = await folderWith({
    [MANIFEST]: '{ "plugins": ["./tool.ts"] }',
    "tool.ts": TOOL,
  });
  await Deno.chmod(folder.path, 0o1777);
  const said = await folder.call("--help");
  assertEquals([said.code, said.stdout.includes("mytool")], [0, false]);
  assertMatch(
    said.stderr,
    /^warning: plugins of ".*" are not loaded: everyone may write to ".*"; KAROTTE_PLUGINS names .*\n$/,
  );
});

Deno.test("faults that nobody waits for do not end Karotte", async () => {
  await using folder = await folderWith({
    [MANIFEST]: '{ "entryPoints": { "default_hardware": { "a": "./late.ts" } } }',
    "late.ts": `
      Promise.reject(new Error("rejected late"));
      Promise.reject(Object.create(null));
      setTimeout(() => { throw new Error("thrown late"); });
      setTimeout(() => Deno.exit(3));
      await new Promise((resolve) => setTimeout(resolve, 50));
      export default "gpu";`,
  });
  const { code, stdout, stderr } = await folder.call("plugins", "check", "--json");
  assertEquals([code, JSON.parse(stdout).merged["karotte.default_hardware"]], [0, "gpu"]);
  const start = 'warning: plugin "./late.ts" failed where nobody waited for it: ';
  assertEquals(stderr.trimEnd().split("\n").map((line) => line.replace(start, "")).sort(), [
    "a plugin must not end the program",
    "an error that can't be shown",
    "rejected late",
    "thrown late",
  ]);
});

Deno.test("schema knows every entry point in each of its spellings", async () => {
  await using folder = await folderWith({});
  const { properties } = JSON.parse((await folder.call("plugins", "schema")).stdout);
  assertEquals(Object.keys(properties), ["$schema", "strict", "plugins", "entryPoints"]);
  const groups = Object.keys(properties.entryPoints.properties);
  assertEquals(groups.length, 36);
  for (const group of ["karotte.cli", "chalk.cli", "cli"]) {
    assertEquals(groups.includes(group), true);
  }
});
