import { assertEquals } from "@std/assert";
import { importsOf } from "./imports_of.ts";

Deno.test("importsOf() finds every form of import", () => {
  const source = `
    import a, { b } from "./a.ts";
    import type { C } from './c.ts';
    import * as d from "d";
    import "./e.ts";
    import json from "./f.json" with { type: "json" };
    export { g } from "./g.ts";
    export * from "./h.ts";
    export type { I } from "./i.ts";
    const j = await import("./j.ts");
    let k: import("./k.ts").K;
    import {
      l,
    } from "./l.ts";
  `;
  assertEquals(importsOf(source), [
    "./a.ts",
    "./c.ts",
    "d",
    "./e.ts",
    "./f.json",
    "./g.ts",
    "./h.ts",
    "./i.ts",
    "./j.ts",
    "./k.ts",
    "./l.ts",
  ]);
});

Deno.test("importsOf() finds nothing in comments, strings, templates and expressions", () => {
  const source = [
    `// import "./a.ts";`,
    `/* export * from "./b.ts"; */`,
    `const c = 'import "./c.ts"; import("./c.ts")';`,
    "const d = `",
    `import "./d.ts";`,
    "`;",
    "const e = `${f({ g: `import('./g.ts')` })} import('./h.ts')`;",
    `const i = /["'\`]/.test(j) ? 1 : 2;`,
    `const k = [/\\/"/, /[/"]/];`,
    `const l = 4 / 2; const m = "/"; const from = "./n.ts";`,
    `export const o = "./p.ts";`,
    `export function q(from = "./r.ts") {}`,
    `import "./real.ts";`,
  ].join("\n");
  assertEquals(importsOf(source), ["./real.ts"]);
});

Deno.test("importsOf() finds an import inside a template's substitution", () => {
  assertEquals(importsOf("const a = `b ${await import('./c.ts')} d`; import './e.ts';"), [
    "./c.ts",
    "./e.ts",
  ]);
});
