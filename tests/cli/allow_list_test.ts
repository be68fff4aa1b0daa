import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { TranscriptEvent } from "../../src/schemas/transcript.ts";
import {
  bashResults,
  bashScript,
  probeTask,
  readEvents,
  type TestEnvironment,
  testEnvironment,
} from "./environment.ts";
import { karotte } from "./karotte.ts";

/** Runs the environment's task with more arguments; each run has a number of its own. */
async function runWith(
  { path }: TestEnvironment,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const command = ["run", "--task", "probe", "--fake-model", "--run-id", "r1", ...args];
  const said = await karotte(command, { cwd: path, env });
  const events = await readEvents(path);
  await Deno.remove(`${path}/out`, { recursive: true });
  assertEquals(said.code, 0, said.stderr);
  const scorings = events.flatMap((event) => event.type === "scoring" ? [event.scoring] : []);
  return { ...said, events, scoring: scorings[0]! };
}

/** A judge that scores 0, whatever it finds: what scores 1 is the student's code as root. */
function honest(interpreter: string): string {
  const scripts: Record<string, string> = {
    python3: `import json, sys; json.dump({"score": 0, "metadata": {}}, open(sys.argv[1], "w"))`,
    sh: `echo '{"score": 0, "metadata": {}}' > "$1"`,
  };
  const script = scripts[interpreter]!;
  const first = interpreter === "sh" ? ["judge"] : [];
  return JSON.stringify([interpreter, "-c", script, ...first]);
}

/** Python code that writes the verdict and ends the process. */
const CHEAT = [
  "import os, sys",
  `open(sys.argv[-1], "w").write('{"score": 1, "metadata": {}}')`,
  "os._exit(0)",
].join("\n");

/** Has the student write its code to a file. */
function plants(file: string): string {
  return `file=${file}; mkdir -p "$(dirname "$file")"; cat > "$file" <<'EOF'\n${CHEAT}\nEOF`;
}

/** Where Python, with a variable set, looks for code to run at its start. */
const userSite = (setting: string) =>
  `$(${setting} python3 -c 'import site; print(site.getusersitepackages())')/usercustomize.py`;

/** Variables that make Python, started as root, run a file that the student can write. */
const PYTHON_TRICKS = {
  PYTHONPATH: { value: "/workdir/lib", file: "/workdir/lib/sitecustomize.py" },
  HOME: { value: "/workdir/home", file: userSite("HOME=/workdir/home") },
  PYTHONUSERBASE: { value: "/workdir/base", file: userSite("PYTHONUSERBASE=/workdir/base") },
};
/** The variable of the trick suite: the run must pay with it, or the test shows nothing. */
const UNGUARDED = { KAROTTE_TEST_WITHOUT: "allow_list" };

for (const [name, { value, file }] of Object.entries(PYTHON_TRICKS)) {
  Deno.test(`--env ${name} below /workdir brings no code of the student's into a judge`, async () => {
    await using environment = await testEnvironment({
      "fake_model.ts": bashScript(plants(file)),
      "tasks/probe.ts": probeTask(`new ExecutableJudge({ argv: ${honest("python3")} })`),
    });
    const args = ["--env", `${name}=${value}`];
    assertEquals((await runWith(environment, args)).scoring.score, 0);
    assertEquals((await runWith(environment, args, UNGUARDED)).scoring.score, 1);
  });
}

Deno.test("--env TMPDIR below /workdir does not move a verdict to where the student is", async () => {
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript("mkdir -m 777 /workdir/tmp"),
    "tasks/probe.ts": probeTask(
      `new ExecutableJudge({ argv: ["sh", "-c", ${
        JSON.stringify(
          `printf '{"score": 1, "metadata": {"verdict": "%s", "tmp": "%s", "mode": "%s"}}' ` +
            `"$1" "$TMPDIR" "$(stat -c %u:%a "$TMPDIR" "$(dirname "$TMPDIR")" | tr '\\n' ' ')" > "$1"`,
        )
      }, "judge"] })`,
    ),
  });
  const { scoring } = await runWith(environment, ["--env", "TMPDIR=/workdir/tmp"]);
  assertEquals(scoring.metadata.mode, "0:700 0:700 ");
  for (const name of ["verdict", "tmp"]) {
    assertEquals(scoring.metadata[name]?.includes("/workdir"), false);
  }
});

for (const option of ["-c", "-m"]) {
  Deno.test(`cwd /workdir with python3 ${option} runs nothing that lies there, and is told`, async () => {
    const argv = option === "-c"
      ? honest("python3")
      : JSON.stringify(["python3", "-m", "karotte_test_of_nothing"]);
    await using environment = await testEnvironment({
      "fake_model.ts": bashScript(
        [plants("/workdir/json.py"), plants("/workdir/karotte_test_of_nothing.py")].join("\n"),
      ),
      "tasks/probe.ts": probeTask(`new ExecutableJudge({ argv: ${argv}, cwd: "/workdir" })`),
    });
    const check = await karotte(["check"], { cwd: environment.path });
    assertEquals(check.code, 0);
    const warning = `the judge's program runs in "/workdir", where the student can write`;
    assertStringIncludes(check.stderr, `warning: Task "probe", step 0: ${warning}`);
    const { events, scoring } = await runWith(environment, []);
    assertEquals(scoring.score, 0);
    assertEquals(warningsOf(events).filter((text) => text.startsWith(warning)).length, 1);
    assertEquals((await runWith(environment, [], UNGUARDED)).scoring.score, 1);
  });
}

Deno.test("a judge's folder of root's, or none, is nothing to tell", async () => {
  await using environment = await testEnvironment({
    "/root_data/x": "",
    "fake_model.ts": bashScript("true"),
    "tasks/probe.ts": probeTask(
      `new ExecutableJudge({ argv: ${honest("sh")}, cwd: "/root_data" })` +
        `.or(new ExecutableJudge({ argv: ${honest("sh")} }))`,
    ),
  });
  const check = await karotte(["check"], { cwd: environment.path });
  assertEquals([check.code, check.stderr.includes("warning")], [0, false]);
  assertEquals(warningsOf((await runWith(environment, [])).events), []);
});

/** Prints the names of all its variables, its umask and its folder. */
const LOOK = `env | sed 's/=.*//' | sort | tr '\\n' ' '; umask; pwd; env | grep -c '^KEPT=yes'`;

Deno.test("root's programs have listed variables, the student the others", async () => {
  const look = ["sh", "-c", `${LOOK}; echo '{"score": 1, "metadata": {}}' > "$1"`, "judge"];
  await using environment = await testEnvironment({
    "/my_plugin.ts": `
      import { definePlugin } from "@karotte/cli/sdk";
      export default definePlugin({ name: "p", entryPoints: {
        "karotte.harness_secret_env": { p: ["ACME_TOKEN"] },
      } });`,
    "/karotte.plugins.json": `{ "plugins": ["./my_plugin.ts"] }`,
    "fake_model.ts": bashScript("env | sort", "umask"),
    "tools/see.ts": `
      import { defineTool, z } from "@karotte/cli/sdk";
      export default defineTool({
        description: "x", input: z.object({}),
        run: (_input, { variables }) => variables,
      });`,
    "tasks/probe.ts": probeTask(
      `new Look().and(new ExecutableJudge({
        argv: ${JSON.stringify(look)}, env: { KEPT: "yes" }, inherit: ["SEEN", "NOT_SET"],
      })).and(new ExecutableJudge({ script: "scoring/look.ts" }))`,
      {
        before: `class Look extends Judge {
          override async evaluate(_transcript, { variables }) {
            const { stdout } = await new Deno.Command("sh", { args: ["-c", "env"] }).output();
            return scoring(1, {
              hook: globalThis.inHook,
              data: JSON.stringify(variables),
              child: new TextDecoder().decode(stdout).split("\\n").map((line) =>
                line.split("=")[0]).filter(Boolean).sort().join(" "),
            });
          }
        }`,
        fields: `preHook() {
          const told = ["ACME_TOKEN", "SEEN", "HOME"].map((name) => String(Deno.env.get(name)));
          globalThis.inHook = told.join(" ");
        },`,
      },
    ),
    "scoring/look.ts": `
      const seen = ["ACME_TOKEN", "SEEN", "HOME"].map((name) => String(Deno.env.get(name)));
      console.log("script:", seen.join(" "), Deno.umask().toString(8));
      await Deno.writeTextFile(Deno.args.at(-1), '{"score": 1, "metadata": {}}');`,
  });
  const given = ["ACME_TOKEN=tok-12345678", "SEEN=seen", "OTHER=other"];
  const args = given.flatMap((each) => ["--env", each]);
  const { events, scoring } = await runWith(environment, args);
  const [students, umask] = bashResults(events).map(({ stdout }) => String(stdout));
  assertMatch(students!, /^OTHER=other$/m);
  assertMatch(students!, /^SEEN=seen$/m);
  assertEquals(/ACME_TOKEN|AS_STUDENT|DENO|PYTHONSAFEPATH/.test(students!), false, students);
  assertEquals(umask, "0022\n");
  const tree = String(scoring.metadata.judges);
  assertStringIncludes(tree, "hook: [redacted] undefined /root");
  assertStringIncludes(tree, 'data: {"SEEN":"seen","OTHER":"other"}');
  const common = "ACME_TOKEN DENO_DIR DENO_NO_UPDATE_CHECK HOME KAROTTE_AS_STUDENT " +
    "KAROTTE_CONTAINERIZED KAROTTE_DEMOTE_ID KAROTTE_SANDBOX KAROTTE_WORKDIR";
  const rest = "LANG NO_COLOR PATH PWD PYTHONNOUSERSITE PYTHONSAFEPATH";
  assertStringIncludes(tree, `child: ${common} ${rest} TMPDIR`);
  const more = `${common} KEPT ${rest} SEEN TMPDIR`;
  assertStringIncludes(tree.replaceAll(" _", ""), `${more} 0077`);
  assertMatch(tree, /0077\n?.*\//);
  assertStringIncludes(tree, "script: [redacted] undefined /root 77");
});

function warningsOf(events: readonly TranscriptEvent[]): string[] {
  return events.flatMap((event) => event.type === "warning" ? [event.metadata.warning] : []);
}
