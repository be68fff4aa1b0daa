import { assertEquals } from "@std/assert";
import { withLater } from "./findings.ts";

/** Findings of a day: a trick that was played is skipped here for that day, to tell it by. */
function findings(date: string, names: readonly string[]) {
  const results = names.map((name) => ({
    trick: { name, group: "g", variant: "careless", guard: "none", script: [] } as const,
    skipped: date,
  }));
  return { name: "docker", date, results };
}

Deno.test("a later run replaces what it played, and the days of all that is kept are told", () => {
  const names = new Set(["a", "b", "c"]);
  const first = withLater(undefined, findings("2026-01-01", ["a", "b", "gone"]), names);
  assertEquals(first.date, "2026-01-01");
  const later = withLater(first, findings("2026-01-02", ["b", "c"]), names);
  assertEquals(later.date, "2026-01-01 to 2026-01-02");
  const latest = withLater(later, findings("2026-01-03", ["c"]), names);
  assertEquals(latest.date, "2026-01-01 to 2026-01-03");
  assertEquals(
    latest.results.map((result) => "skipped" in result && [result.trick.name, result.skipped]),
    [["a", "2026-01-01"], ["b", "2026-01-02"], ["c", "2026-01-03"]],
  );
  const whole = withLater(latest, findings("2026-01-04", ["a", "b", "c"]), names);
  assertEquals(whole.date, "2026-01-04");
});
