import { assertEquals } from "@std/assert";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { probeTask } from "../cli/environment.ts";
import { engineHere, engineTest } from "../conformance/engine_here.ts";
import { processesWith } from "../conformance/lab.ts";
import { engineEnvironment } from "./environment.ts";
import { WHOLE } from "../support/whole.ts";

const RUNS = WHOLE ? 32 : 8;

/** The student writes its run's number, counted from 1: with a score of 0 a run fails. */
const FAKE_MODEL = `
export const getMessages = ({ run_id }) => {
  const command = "echo $((1 + " + run_id.split("-").at(-1) + ")) > number";
  return [
    { tool_calls: [{ function: { name: "bash", arguments: JSON.stringify({ command }) } }] },
    { content: "done" },
  ];
};`;

const SCORE_IS_THE_NUMBER = `
class SameNumber extends Judge {
  override evaluate(_transcript, context) {
    return scoring(Number(Deno.readTextFileSync(context.submission("/workdir/number"))));
  }
}`;

/** Registers the test of very many runs at once, on one engine. */
export async function testManyRuns(engine: Engine): Promise<void> {
  const here = await engineHere(engine);

  engineTest(here, `${RUNS} runs at once all have their own score, and leave nothing`, async () => {
    await using environment = await engineEnvironment(here, {
      "fake_model.ts": FAKE_MODEL,
      "tasks/probe.ts": probeTask("new SameNumber()", {
        before: SCORE_IS_THE_NUMBER,
        step: 'submissionPaths: ["/workdir/number"]',
      }),
    });
    await environment.writeContainerfile("");
    const id = `many_${crypto.randomUUID().slice(0, 8)}`;
    const args = ["run", "--task", "probe", "--fake-model", "--run-id", id, "-n", String(RUNS)];
    const { code, stdout, stderr } = await environment.karotte(...args);
    assertEquals(code, 0, stderr);
    const scores = [...stdout.matchAll(/^run (\S+): passed\n {2}step 0: score (\d+)$/gm)];
    const expected = Array.from(
      { length: RUNS },
      (_, index) => [`${id}-${index}`, String(index + 1)],
    );
    assertEquals(scores.map(([, ...found]) => found), expected, stdout);
    const names = await here.caller.ask("list", ["ps", "--all", "--format", "{{.Names}}"]);
    assertEquals(names.split("\n").filter((name) => name.includes(id)), []);
    assertEquals(processesWith(id), []);
  });
}
