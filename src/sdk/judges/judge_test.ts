import { assertEquals, assertInstanceOf, assertThrows } from "@std/assert";
import type { Scoring } from "../../schemas/scoring.ts";
import { AlwaysPassJudge } from "./always_pass_judge.ts";
import { fakeContext, fakeTranscript } from "../../../tests/support/fake_context.ts";
import { CompositeJudge, Judge, scoring } from "./judge.ts";

class Verdict extends Judge {
  readonly #scoring: Scoring;
  evaluations = 0;

  constructor(score: number, metadata: Record<string, string> = {}) {
    super();
    this.#scoring = scoring(score, metadata);
  }

  override evaluate() {
    this.evaluations++;
    return this.#scoring;
  }
}

function evaluate(judge: Judge) {
  return judge.evaluate(fakeTranscript(), fakeContext());
}

Deno.test("AlwaysPassJudge scores 1 and lets the run go on", async () => {
  assertEquals(await evaluate(new AlwaysPassJudge()), scoring(1, {}, true));
});

Deno.test("and() ends with the first verdict that stops the run", async () => {
  const last = new Verdict(1);
  const verdict = await evaluate(new Verdict(0.5, { a: "b" }).and(new Verdict(0)).and(last));
  assertEquals([verdict.score, verdict.continue_task, last.evaluations], [0, false, 0]);
  assertEquals(
    verdict.metadata.judges,
    "✗ and: 0\n├─ ✓ Verdict: 0.5\n│  └─ a: b\n├─ ✗ Verdict: 0\n└─ - Verdict: not evaluated",
  );
});

Deno.test("and() gives the last verdict when all let the run go on", async () => {
  const verdict = await evaluate(new Verdict(1).and(new Verdict(0.3)));
  assertEquals([verdict.score, verdict.continue_task], [0.3, true]);
});

Deno.test("or() ends with the first verdict that lets the run go on, else the last", async () => {
  const last = new Verdict(0.2);
  const found = await evaluate(new Verdict(0).or(new Verdict(0.7)).or(last));
  assertEquals([found.score, found.continue_task, last.evaluations], [0.7, true, 0]);
  const none = await evaluate(new Verdict(0).or(new Verdict(-1)));
  assertEquals([none.score, none.continue_task], [-1, false]);
});

Deno.test("a composite takes a first member of its own kind apart, others nest", async () => {
  const three = new Verdict(1).and(new Verdict(1)).and(new Verdict(1));
  assertInstanceOf(three, CompositeJudge);
  assertEquals(three.judges.length, 3);
  const mixed = await evaluate(new Verdict(0).or(new Verdict(1, { why: "two\nlines" })).and(three));
  assertEquals(
    mixed.metadata.judges,
    [
      "✓ and: 1",
      "├─ ✓ or: 1",
      "│  ├─ ✗ Verdict: 0",
      "│  └─ ✓ Verdict: 1",
      "│     └─ why: two",
      "│          lines",
      "└─ ✓ and: 1",
      "   ├─ ✓ Verdict: 1",
      "   ├─ ✓ Verdict: 1",
      "   └─ ✓ Verdict: 1",
    ].join("\n"),
  );
});

Deno.test("a composite of nothing is refused", () => {
  assertThrows(() => new CompositeJudge("and", []), TypeError, "at least one");
});
