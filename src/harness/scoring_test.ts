import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Judge, scoring } from "../sdk/judges/judge.ts";
import type { RunContext } from "../sdk/run_context.ts";
import { createTask } from "../sdk/create_task.ts";
import type { Transcript } from "../sdk/transcript.ts";
import { runConfigSchema } from "../schemas/run_config.ts";
import { fakeContext } from "../../tests/support/fake_context.ts";
import { tempStudent } from "../../tests/support/temp_student.ts";
import { scoreStep } from "./scoring.ts";

/** Runs a program of the student's, and waits for what it makes of it. */
class RunningJudge extends Judge {
  readonly #argv: readonly string[];

  constructor(argv: readonly string[]) {
    super();
    this.#argv = argv;
  }

  override async evaluate(_transcript: unknown, { student, signal }: RunContext) {
    await student.run(this.#argv);
    // Its own time is over too, but none of the student's programs runs.
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return scoring(1);
  }
}

async function score(judge: Judge, context: RunContext) {
  const config = runConfigSchema.parse({ run_id: "r1", task_id: "t1", model: "fake/scripted" });
  const Probe = createTask({
    ...{ id: "t1", tools: [], systemPrompt: null, steps: [{ instructions: "1", judge }] },
  });
  const [step] = new Probe(config).steps;
  // The judges of these tests look at no transcript.
  const transcript = {} as Transcript;
  return await scoreStep(step!, transcript, { context, limitSeconds: 0.5 });
}

Deno.test("a program of the student's that uses up the time of scoring is misbehaviour", async () => {
  await using temp = await tempStudent();
  const context = { ...fakeContext(), student: temp.student };
  const { score: found, metadata, continue_task } = await score(
    new RunningJudge(["sleep", "100"]),
    context,
  );
  assertEquals([found, continue_task], [0, false]);
  assertStringIncludes(String(metadata.misbehavior), "still ran when scoring had taken 0.5 s");
});

Deno.test("a judge that uses up its time itself is an error, also after the student's programs", async () => {
  await using temp = await tempStudent();
  const context = { ...fakeContext(), student: temp.student };
  const error = await assertRejects(() => score(new RunningJudge(["true"]), context), Error);
  assertStringIncludes(error.message, "longer than 0.5 s");
});
