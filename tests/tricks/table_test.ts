import { assertEquals, assertStringIncludes } from "@std/assert";
import { GUARDS } from "../../src/protocol/guards.ts";
import { VARIANTS } from "./trick.ts";
import { CONTROLS, TRICKS } from "./tricks.ts";

const PAGE = new URL("../../docs/tricks.md", import.meta.url);

Deno.test("names of tricks are unique, and usable as those of runs", () => {
  const names = [...CONTROLS, ...TRICKS].map(({ name }) => name);
  assertEquals(names.length, new Set(names).size);
  assertEquals(names.filter((name) => !/^[a-z0-9-]{1,100}$/.test(name)), []);
});

Deno.test("each variant has an honest answer, and each guard tricks against it", () => {
  const honest = new Set(CONTROLS.map(({ variant }) => variant));
  assertEquals(VARIANTS.filter((variant) => !honest.has(variant)), []);
  const guards = new Set(TRICKS.map(({ guard }) => guard));
  assertEquals(GUARDS.filter((guard) => !guards.has(guard)), []);
});

Deno.test("the page of tricks is that of the suite: deno task tricks writes it", async () => {
  const page = await Deno.readTextFile(PAGE);
  assertStringIncludes(page, `${TRICKS.length} tricks of a scripted student`);
  const groups = page.slice(page.indexOf("## Groups"));
  assertEquals(TRICKS.filter(({ name }) => !groups.includes(`\`${name}\``)), []);
});
