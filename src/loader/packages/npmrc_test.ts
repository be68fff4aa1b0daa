import { assertEquals } from "@std/assert";
import { parseNpmrc } from "./npmrc.ts";

async function parsed(text: string, variables?: Readonly<Record<string, string>>) {
  const variable = variables === undefined ? undefined : (name: string) => variables[name];
  return Object.fromEntries(await parseNpmrc(text, variable));
}

/** A line, and the value that npm itself takes from it for `key`; undefined: it sets nothing. */
const LINES: readonly [line: string, value: unknown][] = [
  ["key = value", "value"],
  ["key=value ; a comment", "value"],
  ["key=value#a comment", "value"],
  ["key=one\\;two\\#three", "one;two#three"],
  ["key=C:\\dir\\new", "C:\\dir\\new"],
  ['key="one # two"', "one # two"],
  ['key="one\\ntwo"', "one\ntwo"],
  ["key='one ; two'", "one ; two"],
  ["key=a=b", "a=b"],
  ["key=", ""],
  ["key", "true"],
  ["key=false", "false"],
  ["key=null", null],
  ["; key=value", undefined],
  ["  # key=value", undefined],
  ["=value", undefined],
  ["[section]\nkey=value", undefined],
  ["key=1\r\nkey=2", "2"],
  ["key[]=1\nkey[]=2", ["1", "2"]],
  ["key=1\nkey[]=2", ["1", "2"]],
];

Deno.test("parseNpmrc() reads lines as npm does", async () => {
  for (const [line, value] of LINES) {
    assertEquals((await parsed(line, {})).key, value, JSON.stringify(line));
  }
});

Deno.test("parseNpmrc() puts variables into keys and values, or leaves out what mentions one", async () => {
  const text = "//${HOST}/:_authToken=${TOKEN}\na=${GONE}\nb=x${GONE?}\nc=\\${TOKEN}\nd=d";
  assertEquals(await parsed(text, { HOST: "a.test", TOKEN: "secret" }), {
    "//a.test/:_authToken": "secret",
    a: "${GONE}",
    b: "x",
    c: "\\${TOKEN}",
    d: "d",
  });
  assertEquals(await parsed(text), { c: "\\${TOKEN}", d: "d" });
});

Deno.test("parseNpmrc() makes no setting of what looks like JavaScript's own", async () => {
  const text = "__proto__=1\n[__proto__]\nregistry=2\n[constructor]\na=3";
  assertEquals(await parsed(text, {}), {});
});
