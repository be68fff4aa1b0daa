import { assertEquals, assertMatch } from "@std/assert";
import { dirname, join } from "@std/path";
import { importsOf } from "../../scripts/imports_of.ts";
import { VERSION } from "../../src/base/version.ts";
import { ROOT } from "../cli/karotte.ts";
import { machineWithPackage } from "./published.ts";

Deno.test("the package on JSR", async (t) => {
  await using machine = await machineWithPackage();

  await t.step("is what its exports reach, and three texts", async () => {
    const files = new Set(machine.registry.filesOf("@karotte/cli", VERSION));
    const wanted = await reachedFrom(["main.ts", "src/sdk/mod.ts"]);
    for (const text of ["LICENSE", "README.md", "deno.json"]) wanted.add(text);
    // A module that only tests or scripts use belongs into deno.json's publish.exclude.
    assertEquals(
      { needless: [...files.difference(wanted)], absent: [...wanted.difference(files)] },
      {
        needless: [],
        absent: [],
      },
    );
  });

  await t.step("says its version", async () => {
    const { code, stdout } = await machine.karotte(["--version"]);
    assertEquals([code, stdout], [0, `${VERSION}\n`]);
  });

  await t.step("creates an environment whose types hold", async () => {
    const created = await machine.karotte(["create-env", "garden"]);
    assertEquals([created.code, created.stderr.includes("error")], [0, false]);
    const checked = await machine.deno(["check"], "garden");
    assertEquals(checked.code, 0, checked.stderr);
  });

  await t.step("runs the example in a sandbox", async () => {
    const args = ["run", "--task", "example_task", "--fake-model", "--run-id", "r1"];
    const ran = await machine.karotte(args, "garden");
    assertEquals(ran.code, 0, ran.stderr);
    assertMatch(ran.stdout, /^run r1: passed\n {2}step 0: score 1\n/m);
  });

  await t.step("loads a plugin that imports its sdk", async () => {
    await Deno.writeTextFile(`${machine.path}/plugin.ts`, PLUGIN);
    await Deno.writeTextFile(
      `${machine.path}/karotte.plugins.json`,
      JSON.stringify({ plugins: ["./plugin.ts"] }),
    );
    assertEquals((await machine.karotte(["trust"])).code, 0);
    const { code, stdout, stderr } = await machine.karotte(["greet", "garden"]);
    assertEquals([code, stdout], [0, "hello garden\n"], stderr);
  });

  await t.step("asked for nothing that is not there", () => {
    assertEquals(machine.registry.missing, []);
  });
});

const PLUGIN = `
  import { definePlugin } from "jsr:@karotte/cli@^${VERSION}/sdk";

  export default definePlugin({
    name: "greeter",
    entryPoints: {
      "karotte.cli": {
        greet: {
          description: "Greets.",
          main: ([name], { printLine }) => printLine(\`hello \${name}\`),
        },
      },
    },
  });
`;

/** Paths from the root of all that these modules import, and of what that imports. */
async function reachedFrom(modules: readonly string[]): Promise<Set<string>> {
  const reached = new Set<string>();
  const waiting = [...modules];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    if (!path.endsWith(".ts")) continue;
    for (const specifier of importsOf(await Deno.readTextFile(join(ROOT, path)))) {
      if (specifier.startsWith(".")) waiting.push(join(dirname(path), specifier));
    }
  }
  return reached;
}
