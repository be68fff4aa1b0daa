import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { bashScript, probeTask, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";

/** Sets a terminal's title, clears it, colours it by one byte, and turns text around. */
const HOSTILE = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202etxt\u2066\r";
/** As source of a text. */
const LITERAL = JSON.stringify(HOSTILE);

/** Everything but line breaks and tabs that a terminal acts on. */
const ACTS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const GOOD = {
  "fake_model.ts": bashScript(),
  "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
};

/** Returns what a command that is refused says: nothing of it acts. */
async function said(files: Readonly<Record<string, string>>, args: readonly string[]) {
  await using environment = await testEnvironment({ ...GOOD, ...files });
  const result = await karotte(args, { cwd: environment.path });
  assertEquals(result.code, 2, result.stderr);
  const text = result.stdout + result.stderr;
  assert(!ACTS.test(text.replaceAll(/[\n\t]/g, "")), JSON.stringify(text));
  return text;
}

const RUN = ["run", "--task", "probe", "--fake-model"];

Deno.test("faults 4.2: a task's error is shown without what a terminal acts on", async () => {
  const throwing = `throw new Error("No data: " + ${LITERAL});`;
  assertStringIncludes(await said({ "tasks/other.ts": throwing }, RUN), "No data: ␣]0;owned");
});

Deno.test("faults 4.2: an import's name is shown without what a terminal acts on", async () => {
  const importing = `import ${JSON.stringify(`./gone${HOSTILE}.ts`)};`;
  assertStringIncludes(await said({ "tasks/other.ts": importing }, RUN), "gone");
});

Deno.test("faults 4.2: a file's name is shown without what a terminal acts on", async () => {
  const name = "tasks/odd\u001b[2J\u009b31m\u202e.ts";
  assertStringIncludes(await said({ [name]: "export const a = (;" }, RUN), "odd");
});

Deno.test("faults 4.2: a task's and a tool's name are shown without what a terminal acts on", async () => {
  const task = probeTask("new AlwaysPassJudge()").replace('id: "probe"', `id: ${LITERAL}`);
  const unknown = ["run", "--task", "no such", "--fake-model"];
  assertStringIncludes(await said({ "tasks/other.ts": task }, unknown), '"no such"');
  const tool = probeTask("new AlwaysPassJudge()").replace('["bash"]', `[${LITERAL}]`);
  await said({ "tasks/probe.ts": tool }, ["check"]);
});

Deno.test("faults 4.2: what the user wrote himself is shown that way too", async () => {
  await said({}, ["run", "--task", HOSTILE, "--fake-model"]);
  await said({}, ["run", "--config", `nowhere${HOSTILE}`]);
  await said({}, [`run${HOSTILE}`]);
});

Deno.test("faults 4.2: what lists succeed in showing has nothing that a terminal acts on", async () => {
  const task = probeTask("new AlwaysPassJudge()").replace('id: "probe"', `id: ${LITERAL}`);
  const tool = `import { defineTool } from "@karotte/cli/sdk";
    export default defineTool({ description: "x", input: { type: "object" }, run: () => "" });`;
  await using environment = await testEnvironment({
    ...GOOD,
    "tasks/other.ts": task,
    "tools/odd\u001b[2J\u202e.ts": tool,
  });
  for (const args of [["tasks", "list"], ["tasks", "list", "--json"], ["check"]]) {
    const { code, stdout, stderr } = await karotte(args, { cwd: environment.path });
    assertEquals(code, 0, stderr);
    assert(
      !ACTS.test((stdout + stderr).replaceAll(/[\n\t]/g, "")),
      JSON.stringify(stdout + stderr),
    );
  }
});
