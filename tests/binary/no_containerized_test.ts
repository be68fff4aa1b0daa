import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dockerEngine } from "../../src/runtimes/engine/engines.ts";
import { CAPABILITIES } from "../../src/runtimes/confinement.ts";
import { engineHere } from "../conformance/engine_here.ts";
import { engineEnvironment } from "../engines/environment.ts";
import { wireServer } from "../models/wire/server.ts";
import { textOf } from "../cli/karotte.ts";
import { probeTask } from "../cli/environment.ts";
import { binaryTest } from "./binary.ts";

const KEY = "sk-test-0123456789abcdef";

const FILES = {
  "tasks/probe.ts": probeTask('new ExecutableJudge({ script: "scoring/look.ts" })'),
  "scoring/look.ts": `
    const metadata = { names: Object.keys(Deno.env.toObject()).join() };
    Deno.writeTextFileSync(Deno.args[0]!, JSON.stringify({ score: 1, metadata }));`,
};

const here = await engineHere(dockerEngine);

binaryTest(
  "--no-containerized runs a task in a container that something else started",
  async () => {
    if (here.missing !== undefined) throw new Error(here.missing);
    const { caller } = here;
    await using environment = await engineEnvironment(here, FILES);
    await environment.writeContainerfile("");
    const built = await environment.karotte("build");
    assertEquals(built.code, 0, built.stderr);
    const [, image = ""] = /^id: (\S+)$/m.exec(built.stdout) ?? [];
    const command = JSON.stringify({ command: "env; id -un" });
    await using server = wireServer([
      { toolCalls: [{ name: "bash", arguments: command }] },
      { text: `Your key is ${KEY}.` },
    ]);
    const run = async (variables: readonly string[], ...args: readonly string[]) => {
      const { code, stdout, stderr } = await caller.call([
        "run",
        "--rm",
        "--init",
        "--network=host",
        "--cap-drop=ALL",
        ...CAPABILITIES.map((name) => `--cap-add=${name}`),
        ...variables.map((variable) => `--env=${variable}`),
        `--volume=${environment.path}:/out`,
        "--entrypoint=/opt/karotte/bin/karotte",
        image,
        ...["run", "--no-containerized", "--task", "probe", "--run-id", "r1"],
        ...["--transcript-file", "/out/out/r1.json"],
        ...args,
      ]);
      return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
    };
    const model = ["--model", "anthropic/claude-opus-5", "--proxy", server.url];
    const variables = [`ANTHROPIC_API_KEY=${KEY}`];

    const refused = await run(variables, ...model);
    assertEquals(refused.code, 2);
    assertStringIncludes(refused.stderr, "the student would share this container's network");

    const said = await run([...variables, "KAROTTE_STUDENT_NETWORK=open"], ...model);
    assertEquals(said.code, 0, said.stderr);
    assertStringIncludes(said.stdout, "run r1: passed");
    const text = await Deno.readTextFile(`${environment.path}/out/r1.json`);
    assertStringIncludes(text, "Your key is [redacted].");
    assertStringIncludes(text, "student\\\\n");
    assert(!text.includes("ANTHROPIC_API_KEY") && !text.includes(KEY), text);

    // The script of the server is at its end: the run ends with an error, which is not the
    // container's.
    const failed = await run([...variables, "KAROTTE_STUDENT_NETWORK=open"], ...model);
    assertEquals(failed.code, 0, failed.stderr);
    const told = ["KAROTTE_STUDENT_NETWORK=open", "KAROTTE_EXIT_ON_RUN_ERROR=1"];
    assertEquals((await run([...variables, ...told], ...model)).code, 1);
  },
  { ignore: here.missing !== undefined && !here.wanted },
);
