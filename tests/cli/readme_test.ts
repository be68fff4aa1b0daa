import { assertEquals, assertStringIncludes } from "@std/assert";
import { codeBlocks } from "../docs/markdown_blocks.ts";
import { bashResults, bashScript, probeTask, readEvents, testEnvironment } from "./environment.ts";
import { karotte, ROOT } from "./karotte.ts";

/** The code blocks of the README that say which file they are, by that name. */
async function filesOfReadme(): Promise<Record<string, string>> {
  const files = (await codeBlocks(`${ROOT}README.md`)).flatMap(({ file, code }) =>
    file === undefined ? [] : [[file, code] as const]
  );
  return Object.fromEntries(files);
}

Deno.test("the README's task, script and fake model score 1", async () => {
  const files = Object.entries(await filesOfReadme()).filter(([file]) => file.startsWith("src/"));
  assertEquals(files.map(([file]) => file), [
    "src/environment/tasks/greet.ts",
    "src/environment/scoring/check_hello.ts",
    "src/environment/fake_model.ts",
  ]);
  await using environment = await testEnvironment(
    Object.fromEntries(files.map(([file, code]) => [`/${file}`, code])),
  );
  const args = ["run", "--task", "greet", "--fake-model", "--run-id", "r1"];
  const { code, stdout, stderr } = await karotte(args, { cwd: environment.path });
  assertEquals(code, 0, stderr);
  assertEquals(stdout.split("\n").slice(0, 2), ["run r1: passed", "  step 0: score 1"]);
});

Deno.test("the README's judge is not deceived by a link to the answer", async () => {
  const files = Object.entries(await filesOfReadme()).filter(([file]) => file.startsWith("src/"));
  await using environment = await testEnvironment({
    ...Object.fromEntries(files.map(([file, code]) => [`/${file}`, code])),
    "/root_data/expected.txt": "hello\n",
    "fake_model.ts": bashScript("ln -s /root_data/expected.txt hello.txt"),
  });
  const args = ["run", "--task", "greet", "--fake-model", "--run-id", "r1"];
  const { code, stdout, stderr } = await karotte(args, { cwd: environment.path });
  assertEquals(code, 0, stderr);
  assertEquals(stdout.split("\n")[1], "  step 0: score 0");
  assertStringIncludes(JSON.stringify(await readEvents(environment.path)), "a link is in its path");
});

Deno.test("the README's plugin has 15 lines, and does what the README says", async () => {
  const files = await filesOfReadme();
  const { "my_plugin.ts": plugin = "", "karotte.plugins.json": manifest = "" } = files;
  assertEquals(plugin.trimEnd().split("\n").length <= 15, true);
  await using environment = await testEnvironment({
    "/my_plugin.ts": plugin,
    "/karotte.plugins.json": manifest,
    "fake_model.ts": bashScript("echo student:$ACME_TOKEN"),
    "tasks/probe.ts": probeTask("new Look()", {
      before: `class Look extends Judge {
        override evaluate(_transcript, { config }) {
          const seen = Deno.env.get("ACME_TOKEN") === "tok-12345678" ? "yes" : "no";
          return scoring(1, { seen, turns: String(config.turn_limit) });
        }
      }`,
    }),
  });
  const cwd = environment.path;
  assertEquals((await karotte(["hello", "Ann"], { cwd })).stdout, "Hi Ann\n");
  const args = ["run", "--task", "probe", "--fake-model", "--run-id", "r1", "--env", "ACME_TOKEN"];
  const { code, stderr } = await karotte(args, { cwd, env: { ACME_TOKEN: "tok-12345678" } });
  assertEquals(code, 0, stderr);
  const events = await readEvents(cwd);
  assertEquals(bashResults(events).map(({ stdout }) => stdout), ["student:\n"]);
  const scores = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  assertEquals(scores.map(({ metadata }) => metadata), [{ seen: "yes", turns: "50" }]);
});

Deno.test("the README is short enough to be read", async () => {
  const lines = (await Deno.readTextFile(`${ROOT}README.md`)).split("\n");
  assertEquals(lines.length < 200, true);
});
