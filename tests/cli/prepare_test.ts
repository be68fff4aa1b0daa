import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { run } from "../../src/base/process.ts";
import { disturb } from "./disturb.ts";
import { probeTask, testEnvironment } from "./environment.ts";
import { karotte, textOf } from "./karotte.ts";

const PREPARE = ["run", "--task", "probe", "--model", "openai/x", "--prepare-only"];

/** An environment whose preHook does this. */
const preparing = (preHook: string) => ({
  "tasks/probe.ts": probeTask("new AlwaysPassJudge()", {
    fields: `preHook: async (context) => { ${preHook} },`,
  }),
});

Deno.test("--prepare-only sets up, holds a sandbox that can be entered, and ends with 0", async () => {
  await using environment = await testEnvironment({
    ...preparing(`await context.student.writeFile("/workdir/made", "by preHook"); return {};`),
    "/out/r1.json": "what was there",
  });
  const options = { cwd: environment.path, env: { TMPDIR: environment.path } };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const { code, stdout } = await disturb([...PREPARE, "--run-id", "r1"], options, {
      until: ["stdout", "bash\n"],
      signal,
      async meanwhile(said) {
        assert(said.startsWith("prepared: karotte-bubblewrap-"), said);
        const [, command = ""] = / {2}as root: (.*)\n/.exec(said) ?? [];
        const look = "id -u; hostname; cat /workdir/made /tmp/karotte_prepared_r1; env | grep SEC";
        const inside = await run([...command.split(" "), "-c", look], { env: { SECRET: "x" } });
        assertEquals(textOf(inside.stdout), "0\nsandbox\nby preHookr1", textOf(inside.stderr));
      },
    });
    assertEquals([code, stdout], [0, ""]);
    const left = [...Deno.readDirSync(environment.path)].map(({ name }) => name).sort();
    assertEquals(left, ["deno.json", "out", "src"]);
    const out = [...Deno.readDirSync(`${environment.path}/out`)].map(({ name }) => name);
    assertEquals(out, ["r1.json"]);
    assertEquals(await Deno.readTextFile(`${environment.path}/out/r1.json`), "what was there");
  }
});

Deno.test("a setup that fails, or is interrupted, ends --prepare-only with a failure", async () => {
  await using environment = await testEnvironment(preparing(`throw new Error("not today");`));
  const failed = await karotte(PREPARE, { cwd: environment.path });
  assertEquals([failed.code, failed.stdout], [1, ""]);
  assertStringIncludes(failed.stderr, 'error: Cannot prepare task "probe": Error: not today\n');
  const hangs = `console.log("preparing"); await new Promise((done) => setTimeout(done, 1e8));`;
  const [[file, content] = ["", ""]] = Object.entries(preparing(hangs));
  await environment.write(file, content);
  const { code, stdout, stderr } = await disturb(PREPARE, { cwd: environment.path }, {
    until: ["stderr", "preparing\n"],
    signal: "SIGINT",
  });
  assertEquals([code, stdout], [130, ""]);
  assertStringIncludes(stderr, "error: Interrupted by SIGINT\n");
});

Deno.test("--prepare-only is for one run", async () => {
  await using environment = await testEnvironment(preparing("return {};"));
  const { code, stderr } = await karotte([...PREPARE, "-n", "2"], { cwd: environment.path });
  assertEquals(code, 2);
  assertStringIncludes(stderr, "Cannot use --prepare-only for several runs\n");
});
