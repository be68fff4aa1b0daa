import { assertEquals } from "@std/assert";
import { offences } from "./layers.ts";

/** Modules by path, with what they import; every `.ts` file imported must be listed. */
function offencesOf(modules: Record<string, string[]>): string[] {
  return offences(new Map(Object.entries(modules)));
}

Deno.test("offences() accepts imports that run down, and those of the same rank", () => {
  assertEquals(
    offencesOf({
      "main.ts": ["./src/cli/run.ts", "./src/harness/main.ts", "./deno.json"],
      "plugins/agent.ts": ["../src/sdk/mod.ts", "./shared/tool.ts"],
      "plugins/shared/tool.ts": ["@karotte/cli/sdk"],
      "src/base/errors.ts": ["node:path"],
      "src/cli/run.ts": ["../host/run/prepare.ts", "../harness/main.ts", "@std/cli"],
      "src/harness/main.ts": ["../protocol/rpc.ts", "../sdk/mod.ts", "zod"],
      "src/host/run/prepare.ts": ["../../runtimes/runtime.ts", "../../base/errors.ts"],
      "src/models/model.ts": ["../base/errors.ts", "ai"],
      "src/protocol/rpc.ts": ["zod"],
      "src/plugins/registry.ts": ["../loader/load.ts"],
      "src/loader/load.ts": ["npm:esbuild-wasm"],
      "src/runtimes/runtime.ts": [],
      "src/sdk/mod.ts": ["./judges/judge.ts", "zod/v4/core"],
      "src/sdk/judges/judge.ts": ["../../base/errors.ts"],
    }),
    [],
  );
});

Deno.test("offences() names an import that runs up", () => {
  assertEquals(
    offencesOf({ "src/base/a.ts": ["../sdk/b.ts"], "src/sdk/b.ts": [] }),
    ['src/base/a.ts: "../sdk/b.ts": src/base does not import src/sdk'],
  );
});

Deno.test("offences() keeps the harness apart from the host", () => {
  assertEquals(
    offencesOf({
      "src/harness/a.ts": ["../host/b.ts", "../entry_points/d.ts"],
      "src/host/b.ts": ["../harness/c.ts"],
      "src/harness/c.ts": [],
      "src/entry_points/d.ts": [],
    }),
    [
      'src/harness/a.ts: "../host/b.ts": src/harness does not import src/host',
      'src/harness/a.ts: "../entry_points/d.ts": src/harness does not import src/entry_points',
      'src/host/b.ts: "../harness/c.ts": src/host does not import src/harness',
    ],
  );
});

Deno.test("offences() lets top-level plugins import the sdk only", () => {
  assertEquals(
    offencesOf({ "plugins/a.ts": ["../src/base/b.ts"], "src/base/b.ts": [] }),
    ['plugins/a.ts: "../src/base/b.ts": plugins does not import src/base'],
  );
});

Deno.test("offences() lets nothing in src import tests, scripts or top-level plugins", () => {
  assertEquals(
    offencesOf({
      "src/cli/a.ts": ["../../plugins/b.ts", "../../scripts/c.ts", "./d_test.ts"],
      "plugins/b.ts": [],
      "scripts/c.ts": [],
      "src/cli/d_test.ts": ["../base/e.ts"],
      "src/base/e.ts": [],
    }),
    [
      'src/cli/a.ts: "../../plugins/b.ts": src/cli does not import plugins',
      'src/cli/a.ts: "../../scripts/c.ts": src/cli does not import scripts',
      'src/cli/a.ts: "./d_test.ts": only a test imports a test',
    ],
  );
});

Deno.test("offences() names a package in a folder that must do without", () => {
  assertEquals(
    offencesOf({ "src/harness/a.ts": ["@std/path"], "src/harness/a_test.ts": ["@std/assert"] }),
    ['src/harness/a.ts: "@std/path": src/harness imports no package but zod'],
  );
});

Deno.test("offences() frees tests from the order, but not from importing what exists", () => {
  assertEquals(
    offencesOf({
      "src/base/a_test.ts": ["../cli/b.ts", "./gone.ts"],
      "src/cli/b.ts": [],
      "tests/c.ts": ["../src/cli/b.ts"],
    }),
    ['src/base/a_test.ts: "./gone.ts": no such module'],
  );
});

Deno.test("offences() names each cycle once", () => {
  assertEquals(
    offencesOf({
      "src/sdk/a.ts": ["./b.ts"],
      "src/sdk/b.ts": ["./c.ts"],
      "src/sdk/c.ts": ["./a.ts"],
      "src/sdk/d.ts": ["./a.ts"],
    }),
    ["src/sdk/a.ts -> src/sdk/b.ts -> src/sdk/c.ts -> src/sdk/a.ts: cycle"],
  );
});

Deno.test("offences() keeps the packages of the host out of the sandbox", () => {
  assertEquals(
    offencesOf({
      "src/base/json_text.ts": ["jsonc-parser", "diff"],
      "src/harness/a.ts": ["../base/json_text.ts"],
      "src/host/b.ts": ["../base/json_text.ts"],
    }),
    [
      'src/base/json_text.ts: "diff": src/base imports no package but zod',
      'src/harness/a.ts: "../base/json_text.ts": only the host imports src/base/json_text.ts, ' +
      "which imports a package",
    ],
  );
});
