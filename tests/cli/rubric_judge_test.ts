import { assertEquals, assertStringIncludes } from "@std/assert";
import { bashScript, probeTask, testEnvironment } from "./environment.ts";
import { karotte, type Said } from "./karotte.ts";

const KEY = "sk-proj-0123456789abcdef";
const RUBRIC = 'rubric: [{ criterion: "It greets.", weight: 1 }]';

async function check(files: Readonly<Record<string, string>>): Promise<Said> {
  await using environment = await testEnvironment(files);
  return await karotte(["check"], { cwd: environment.path });
}

function task(judge: string): string {
  return probeTask(judge, { before: "const { answers, files, RubricJudge, transcript } = sdk;" });
}

/** The check fails for the key, says where, and shows none of it. */
function assertRefused({ code, stdout, stderr }: Said, where: string) {
  assertEquals([code, stdout], [2, ""], stderr);
  assertStringIncludes(stderr, where);
  assertStringIncludes(stderr, "apiKey must be the name of a variable on the host");
  assertStringIncludes(stderr, "keys never belong into an environment");
  assertEquals(stderr.includes(KEY), false);
}

Deno.test("check passes a rubric judge that names its key, whatever it is shown", async () => {
  const context =
    'context: [answers("a"), files(["/workdir/a"]), transcript({ tool: "*", last: 3 })]';
  const judge =
    `new RubricJudge({ ${RUBRIC}, model: "openai/x", apiKey: "$ACME_API_KEY", ${context} })`;
  const { code, stderr, stdout } = await check({ "tasks/probe.ts": task(judge) });
  assertEquals([code, stdout.trimEnd().split("\n").at(-1)], [0, "ok"], stderr);
});

Deno.test("check refuses a key in a judge that is made with its task", async () => {
  const judge = `new RubricJudge({ ${RUBRIC}, apiKey: "${KEY}" })`;
  assertRefused(await check({ "tasks/probe.ts": task(judge) }), "src/environment/tasks/probe.ts:");
});

Deno.test("check refuses a key in a judge that is made when it is read", async () => {
  const judge = `() => new AlwaysPassJudge().and(new RubricJudge({ ${RUBRIC}, apiKey: "${KEY}" }))`;
  const said = await check({ "tasks/probe.ts": task(judge) });
  assertRefused(said, "src/environment/tasks/probe.ts:");
  assertStringIncludes(said.stderr, 'Task "probe", step 0: RubricJudge: apiKey');
});

Deno.test("check refuses a key in a judge of another file by its task", async () => {
  const said = await check({
    "judges/greeting.ts": `
      import { RubricJudge } from "@karotte/cli/sdk";
      export const greeting = () => new RubricJudge({ ${RUBRIC}, apiKey: "${KEY}" });`,
    "tasks/probe.ts": `import { greeting } from "../judges/greeting.ts";\n${task("greeting")}`,
  });
  assertRefused(said, "src/environment/judges/greeting.ts:3:");
  assertStringIncludes(said.stderr, 'Task "probe", step 0');
});

Deno.test("check passes judges that can't be made without a run", async () => {
  const judges = [
    '() => { throw new Error("the hook has not run") }',
    '() => { throw new TypeError("the hook has not run") }',
    '() => new ExecutableJudge({ argv: [Deno.readTextFileSync("/root_data/argv")] })',
    '() => { Promise.reject(new Error("nobody waits")); return new AlwaysPassJudge() }',
    '() => { Deno.readTextFile("/root_data/gone"); Deno.env.get("HOME") }',
  ];
  for (const judge of judges) {
    const { code, stderr } = await check({ "tasks/probe.ts": task(judge) });
    assertEquals([code, stderr], [0, ""], judge);
  }
});

Deno.test("check refuses settings that are none", async () => {
  const settings = { "/deno.json": '{ "karotte": { "judge_models": "openai/x" } }' };
  const { code, stderr } = await check({
    "tasks/probe.ts": task("new AlwaysPassJudge()"),
    ...settings,
  });
  assertEquals(code, 2);
  assertStringIncludes(stderr, "karotte.judge_models");
});

Deno.test("files shows a submission as the student left it, from the harness's copy", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript("mkdir out; echo mine > out/a; echo mine > b"),
    "tasks/probe.ts": `
      import { createTask, files, Judge, scoring } from "@karotte/cli/sdk";
      class Look extends Judge {
        override async evaluate(transcript, context) {
          const parts = await files(["/workdir/out/a", "/workdir/b"])(transcript, context);
          return scoring(1, Object.fromEntries(parts.map(({ title, text }) => [title, text])));
        }
      }
      export default createTask({
        id: "probe",
        tools: ["bash"],
        systemPrompt: null,
        steps: [{
          instructions: "Go.",
          submissionPaths: ["/workdir/out"],
          async preScoringHook({ student }) {
            for (const path of ["/workdir/out/a", "/workdir/b"]) {
              await student.writeFile(path, new TextEncoder().encode("swapped"));
            }
          },
          judge: new Look(),
        }],
      });`,
  });
  const { code, events, stderr } = await environment.run();
  assertEquals(code, 0, stderr);
  const found = events.flatMap((event) => event.type === "scoring" ? [event.scoring.metadata] : []);
  assertEquals(found, [{ "/workdir/out/a": "mine\n", "/workdir/b": "swapped" }]);
});
