import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import plugin from "./lint_rules.ts";

function messages(path: string, source: string): string[] {
  const file = join(import.meta.dirname ?? ".", "..", path);
  return Deno.lint.runPlugin(plugin, file, source).map((found) => found.message);
}

Deno.test("one-place names each power outside of its home", () => {
  const cases: [string, string][] = [
    ["new Deno.Command('true');", "Deno.Command is used in src/base/process.ts only"],
    ["const { Command } = Deno;", "Deno.Command is used in src/base/process.ts only"],
    ["import cp from 'node:child_process';", "Deno.Command is used in src/base/process.ts only"],
    ["Deno['dlopen']('x', {});", "Deno.dlopen is used in src/base/libc.ts only"],
    ["globalThis.Deno.exit(1);", "Deno.exit is used in main.ts only"],
    ["console.log(1);", "console is used in src/base/log.ts only"],
    ["globalThis.console.log(1);", "console is used in src/base/log.ts only"],
  ];
  for (const [source, message] of cases) {
    assertEquals(messages("src/host/run/prepare.ts", source), [message], source);
  }
});

Deno.test("one-place leaves homes, tests, scripts and other names alone", () => {
  assertEquals(messages("src/base/process.ts", "new Deno.Command('true');"), []);
  assertEquals(messages("main.ts", "Deno.exit(1);"), []);
  assertEquals(messages("src/base/log.ts", "console.log(1);"), []);
  assertEquals(messages("src/host/run_test.ts", "console.log(1);"), []);
  assertEquals(messages("tests/cli/run_test.ts", "new Deno.Command('true');"), []);
  assertEquals(messages("scripts/layers.ts", "Deno.exit(1);"), []);
  assertEquals(
    messages("src/host/run/prepare.ts", "Deno.stat(''); page.console.log(1); x.exit();"),
    [],
  );
});
