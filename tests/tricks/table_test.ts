import { assertEquals, assertStringIncludes } from "@std/assert";
import { GUARDS } from "../../src/protocol/guards.ts";
import type { Outcome } from "./outcome.ts";
import { tricksPage, withList } from "./table.ts";
import { type GroupedTrick, VARIANTS } from "./trick.ts";
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

Deno.test("the page of tricks lists those of the suite: deno task tricks --list writes the list", async () => {
  const page = await Deno.readTextFile(PAGE);
  assertStringIncludes(page, `${TRICKS.length} tricks of a scripted student`);
  const groups = page.slice(page.indexOf("## Groups"));
  assertEquals(TRICKS.filter(({ name }) => !groups.includes(`\`${name}\``)), []);
});

const trick = (name: string, more: Partial<GroupedTrick> = {}): GroupedTrick => ({
  ...{ name, group: "g", variant: "careless", guard: "none", script: [], ...more },
});

Deno.test("the page tells what pays, what failed, what could not be played and what was not", () => {
  const known = trick("known", { deviation: "nobody looks there" });
  const [good, bad, absent, late] = ["good", "bad", "absent", "late"].map((name) => trick(name));
  const came = (of: GroupedTrick, more: Partial<Outcome> = {}): Outcome => ({
    ...{ trick: of, score: 0, seconds: 1, isPaid: false, ...more },
  });
  const results = [
    came(good!),
    came(known, { score: 1, isPaid: true }),
    came(bad!, { failure: "it hung" }),
    { trick: absent!, skipped: "no image" },
  ];
  const page = tricksPage([good!, bad!, known, absent!, late!], {
    runtimes: [{ name: "bubblewrap", date: "2026-01-02", results }],
    guards: { kill: { date: "2026-01-03", played: 7, paid: ["good"] } },
  });
  assertStringIncludes(
    page,
    "| bubblewrap | 2026-01-02 | 3 | 1 | `known` | `bad` | no image: `absent`; not played: `late` |",
  );
  assertStringIncludes(page, "- `known` pays: nobody looks there (bubblewrap).");
  assertStringIncludes(page, "is scored | 2026-01-03 | 7 | 1 | `good` |");
  assertStringIncludes(page, "are found | not played | 0 |  |  |");
  const later = withList(page, [good!, trick("newest")]);
  assertStringIncludes(later, "\n2 tricks of a scripted student,");
  assertStringIncludes(later, "| g | 2 | `good`, `newest` |");
  assertStringIncludes(later, "| bubblewrap | 2026-01-02 |");
});
