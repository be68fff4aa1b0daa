import { assertEquals } from "@std/assert";
import { NOWHERE } from "../../tests/support/nowhere.ts";
import { tempDir } from "../base/temp_dir.ts";
import { ExecutableJudge } from "../sdk/judges/executable_judge.ts";
import { AlwaysPassJudge } from "../sdk/judges/always_pass_judge.ts";
import { missingJudgePrograms } from "./check_judge_programs.ts";

/** A step whose judge is made of this one. */
function judgedBy(make: () => ExecutableJudge) {
  return {
    get judge() {
      return new AlwaysPassJudge().and(make());
    },
  };
}

Deno.test("faults 2.2: check finds what judges run and is not there, as far as it can tell", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(`${dir.path}/bundle/scoring`, { recursive: true });
  await Deno.writeTextFile(`${dir.path}/bundle/scoring/check.js`, "");
  const steps = [
    () => new ExecutableJudge({ script: "scoring/check.ts" }),
    () => new ExecutableJudge({ script: "scoring/chekc.ts" }),
    () => new ExecutableJudge({ script: "check.ts" }),
    () => new ExecutableJudge({ argv: [NOWHERE, "x"] }),
    () => new ExecutableJudge({ argv: ["/bin/sh", "x"] }),
    () => new ExecutableJudge({ argv: ["no-such-program"] }),
    () => new ExecutableJudge({ argv: [`/intermediate_data${NOWHERE}`] }),
    () => {
      throw new Error("wants what a hook finds");
    },
  ].map(judgedBy);
  const places = { privateDirectory: dir.path };
  const scripts = [
    'step 1: Script "scoring/chekc.ts": there is no such file in src/environment',
    'step 2: Script "check.ts": there is no such file in src/environment/scoring, where scripts ' +
    "have to be",
  ];
  assertEquals(await missingJudgePrograms(steps, { ...places, inImage: false }), scripts);
  assertEquals(await missingJudgePrograms(steps, { ...places, inImage: true }), [
    ...scripts,
    `step 3: Program "${NOWHERE}": there is no such file in the image`,
  ]);
});
