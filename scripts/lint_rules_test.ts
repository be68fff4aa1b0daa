import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import plugin from "./lint_rules.ts";

function found(path: string, source: string): Deno.lint.Diagnostic[] {
  const file = join(import.meta.dirname ?? ".", "..", path);
  return Deno.lint.runPlugin(plugin, file, source);
}

function messages(path: string, source: string): string[] {
  return found(path, source).map(({ message }) => message);
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

Deno.test("variables-name refuses variables that go by the name of the user's project", () => {
  const environment = '"environment" holds the system\'s variables';
  const env = '"env" holds the system\'s variables';
  const cases: [string, string][] = [
    ["interface A { readonly environment: Readonly<Record<string, string>> }", environment],
    ["interface A { environment?: Record<string, string | undefined> }", environment],
    ["class A { readonly environment: Record<string, string> = {} }", environment],
    ["function f(environment: Record<string, string>) {}", environment],
    ["const environment: Partial<Record<string, string>> = {};", environment],
    ["type A = { environment: Record<string, string> | undefined };", environment],
    ["interface A { env: (name: string) => string | undefined }", env],
    ["interface A { env(name: string): string | undefined }", env],
    ["interface A { readonly environment: (name: string) => string | null }", environment],
    ["function f(env: (name: string) => string) {}", env],
  ];
  for (const [source, message] of cases) {
    assertEquals(messages("src/host/a.ts", source), [message], source);
  }
});

Deno.test("variables-name leaves other types, and the words of Deno.Command, alone", () => {
  for (
    const source of [
      "interface A { env: Readonly<Record<string, string>> }",
      "interface A { variables: Record<string, string> }",
      "interface A { environment: DescribedEnvironment }",
      "interface A { environment: Record<string, Tool> }",
      "interface A { environment: (name: string, more: number) => string }",
      "interface A { env(name: string): Promise<string> }",
      "const environment = await describe();",
    ]
  ) assertEquals(messages("src/host/a.ts", source), [], source);
});

/** Comments of one line each, and how `deno lint --fix` leaves them. */
function fixed(source: string): string | undefined {
  const diagnostics = found("src/host/a.ts", source);
  assertEquals(diagnostics.map(({ id }) => id), ["karotte/comment-width"], source);
  const [fix] = diagnostics[0]?.fix ?? [];
  if (fix === undefined) return undefined;
  return source.slice(0, fix.range[0]) + (fix.text ?? "") + source.slice(fix.range[1]);
}

const words = (count: number) => Array(count).fill("word").join(" ");

Deno.test("comment-width wraps comments that have their lines to themselves", () => {
  const cases: [string, string][] = [
    [`/** ${words(20)} */\nf();`, `/**\n * ${words(19)}\n * word\n */\nf();`],
    [`  // ${words(20)}\nf();`, `  // ${words(19)}\n  // word\nf();`],
    [
      `// a\n//\n// ${words(20)}\n// more\n\n// b`,
      `// a\n//\n// ${words(19)}\n// word more\n\n// b`,
    ],
    [
      `/**\n * short\n *\n * - ${words(20)}\n * - b\n * @x\n */`,
      `/**\n * short\n *\n * - ${words(19)}\n *   word\n * - b\n * @x\n */`,
    ],
  ];
  for (const [source, expected] of cases) {
    const text = fixed(source);
    assertEquals(text, expected);
    assertEquals(messages("src/host/a.ts", text ?? ""), [], "once is enough");
  }
});

Deno.test("comment-width leaves to a person what can't be wrapped by words", () => {
  for (
    const source of [
      `f(); // ${words(20)}`,
      `/* ${words(20)} */\nf();`,
      `/**\n * Does it:\n *\n * \`\`\`ts\n * ${words(20)}\n * \`\`\`\n */`,
      `/** ${words(18)} letters - word */`,
    ]
  ) assertEquals(fixed(source), undefined, source);
});

Deno.test("comment-width takes lines of 100 columns, words that are longer, and code", () => {
  for (
    const source of [
      `// ${"x".repeat(40)} ${"y".repeat(56)}`,
      `// https://example.com/${"x".repeat(100)}`,
      `/**\n * https://example.com/${"x".repeat(100)}\n */`,
      `const text = "// ${words(20)}";`,
    ]
  ) assertEquals(messages("src/host/a.ts", source), [], source);
});
