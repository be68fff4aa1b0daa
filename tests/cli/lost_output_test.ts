import { assertEquals, assertMatch } from "@std/assert";
import { run } from "../../src/base/process.ts";
import { tempDir } from "../../src/base/temp_dir.ts";
import { bashResults, bashScript, probeTask, readEvents, testEnvironment } from "./environment.ts";
import { ROOT, startKarotte } from "./karotte.ts";
import { until, withCommand } from "./processes.ts";

/** Longer than any command of these tests takes; one that never ends is ended. */
const ENDS_WITHIN_MS = 120_000;

/** What starts a command, with its output elsewhere. */
const to = (redirections: string) => ["sh", "-c", `exec "$@" ${redirections}`, "sh"];

const DESTINATIONS = {
  "a full stderr": "2>/dev/full",
  "a full stdout": ">/dev/full",
  "both full": ">/dev/full 2>/dev/full",
  "both closed": ">&- 2>&-",
};

interface Ending {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `karotte ARGS...` under something else to its end. */
async function ending(
  args: readonly string[],
  under: readonly string[],
  { cwd = ROOT, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ending> {
  const child = startKarotte(args, { cwd, env, under });
  const timer = setTimeout(() => child.kill("SIGKILL"), ENDS_WITHIN_MS);
  try {
    const [stdout, stderr, { code }] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.status,
    ]);
    return { code, stdout, stderr };
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

interface RunEnding extends Ending {
  /** Names of the transcripts, and what the student's last command printed in each. */
  readonly transcripts: Readonly<Record<string, unknown>>;
}

interface Running {
  readonly pid: number;
  readonly path: string;
}

const RUN = ["run", "--task", "probe", "--fake-model", "--run-id", "r1"];
const WHOLE = { "r1.json": "before\nafter\n" };

/**
 * Runs a student that sleeps for two seconds, and disturbs the run meanwhile. The exit status is
 * the command's own, also where what started it is killed.
 */
async function runEnding(
  under: readonly string[],
  disturb: (running: Running) => void | Promise<void> = () => {},
): Promise<RunEnding> {
  const mark = `2.${Math.floor(Math.random() * 1e9)}`;
  await using environment = await testEnvironment({
    "fake_model.ts": bashScript(`echo before; sleep ${mark}; echo after`),
    "tasks/probe.ts": probeTask("new AlwaysPassJudge()"),
  });
  const { path } = environment;
  const child = startKarotte(RUN, { cwd: path, under, env: { TMPDIR: path } });
  const timer = setTimeout(() => child.kill("SIGKILL"), ENDS_WITHIN_MS);
  const said = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  try {
    await until("the student sleeps", () => withCommand("sleep", mark).length > 0);
    await disturb({ pid: child.pid, path });
    const { code } = await child.status;
    const [stdout, stderr] = await said;
    const status = await statusIn(path) ?? code;
    return { code: status, stdout, stderr, transcripts: await transcriptsIn(path) };
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
    await said;
  }
}

/** Awaits what a shell writes that outlives what started it; undefined: there is none. */
async function statusIn(path: string): Promise<number | undefined> {
  const names = () => [...Deno.readDirSync(path)].map(({ name }) => name);
  if (!names().includes("noted")) return undefined;
  await until("the command's status is noted", () => names().includes("status"));
  return Number(await Deno.readTextFile(`${path}/status`));
}

async function transcriptsIn(path: string): Promise<Record<string, unknown>> {
  const events = await readEvents(path);
  if (events.at(-1)?.type !== "task_completed") return {};
  return { "r1.json": bashResults(events).at(-1)?.stdout };
}

/** Notes that there will be a status, then the status. */
const NOTING = ': >noted; "$@"; echo $? >status.new; mv status.new status';

/** On a terminal of its own, which is gone as soon as `script` is killed. */
function onTerminal(command: readonly string[]): string[] {
  const start =
    `argv=""; for word; do argv="$argv '$word'"; done; exec script -qfec "$argv" /dev/null`;
  return ["sh", "-c", start, "sh", ...command];
}

/**
 * The command is in the foreground of the terminal: the kernel tells the session's leader, a shell,
 * that it is gone, and as that one dies all of the foreground. The shell that notes the status
 * survives.
 */
const IN_SESSION = onTerminal([
  ...["sh", "-c", '"$@"; true', "sh"],
  ...["sh", "-c", `trap : HUP; ${NOTING}`, "sh"],
]);
/** The command is in no session with the terminal, so no signal tells it that it is gone. */
const OUT_OF_SESSION = onTerminal(["setsid", "--wait", "sh", "-c", NOTING, "sh"]);

const losesTerminal = ({ pid }: Running) => Deno.kill(pid, "SIGKILL");

Deno.test("faults 1.1: a command that is refused ends whatever its output leads to", async () => {
  for (const [name, redirections] of Object.entries(DESTINATIONS)) {
    assertEquals((await ending(["nosuch"], to(redirections))).code, 2, name);
  }
});

Deno.test("faults 1.1: a run without any output ends as ever, with a whole transcript", async () => {
  for (const redirections of ["2>/dev/full", ">/dev/full 2>/dev/full"]) {
    const { code, transcripts } = await runEnding(to(redirections));
    assertEquals([code, transcripts], [0, WHOLE], redirections);
  }
});

Deno.test("faults 1.1: a run whose terminal goes away without a signal ends as ever", async () => {
  const { code, transcripts } = await runEnding(OUT_OF_SESSION, losesTerminal);
  assertEquals([code, transcripts], [0, WHOLE]);
});

Deno.test("faults 1.2: a run whose terminal goes away ends as by SIGTERM", async () => {
  const { code, transcripts } = await runEnding(IN_SESSION, losesTerminal);
  assertEquals(code, 130);
  assertEquals(Object.keys(transcripts), ["r1.json"]);
});

Deno.test("faults 1.2: nohup keeps a run from SIGHUP, and from its terminal's end", async () => {
  const sent = await runEnding(["nohup"], ({ pid }) => Deno.kill(pid, "SIGHUP"));
  assertEquals([sent.code, sent.transcripts], [0, WHOLE], sent.stderr);
  const gone = await runEnding([...IN_SESSION, "nohup"], losesTerminal);
  assertEquals([gone.code, gone.transcripts], [0, WHOLE]);
});

Deno.test("faults 1.2: a signal that was ignored at the start stays ignored, others do not", async () => {
  const under = ["sh", "-c", `trap "" INT; exec "$@"`, "sh"];
  const ignored = await runEnding(under, ({ pid }) => Deno.kill(pid, "SIGINT"));
  assertEquals([ignored.code, ignored.transcripts], [0, WHOLE]);
  const other = await runEnding(under, ({ pid }) => Deno.kill(pid, "SIGTERM"));
  assertEquals(other.code, 130);
});

Deno.test("faults 1.3: a run with a full stdout says so once and ends as ever", async () => {
  const { code, stderr, transcripts } = await runEnding(to(">/dev/full"));
  assertEquals([code, transcripts], [0, WHOLE]);
  assertEquals(stderr.match(/^warning: stdout can't be written any more/gm)?.length, 1, stderr);
  assertEquals(stderr.includes("internal error"), false, stderr);
});

Deno.test("faults 1.3: a run whose log or results nobody reads any more ends as ever", async () => {
  const piped = {
    "a log": `mkfifo log; head -1 <log >/dev/null & exec "$@" 2>log`,
    "results": `mkfifo results; head -c 1 <results >/dev/null & exec "$@" >results`,
    "both": `mkfifo all; head -1 <all >/dev/null & exec "$@" >all 2>&1`,
  };
  for (const [name, script] of Object.entries(piped)) {
    const { code, transcripts } = await runEnding(["sh", "-c", script, "sh"]);
    assertEquals([code, transcripts], [0, WHOLE], name);
  }
});

Deno.test("faults 1.3: a plugin's command ends as ever, by whatever way it prints", async () => {
  await using environment = await testEnvironment({
    "/karotte.plugins.json": `{ "plugins": ["./plugin.ts"] }`,
    "/plugin.ts": `
      import { definePlugin } from "@karotte/cli/sdk";
      const main = (args, { printLine, logLine }) => {
        for (let line = 0; line < 3; line++) {
          printLine("a result"); logLine("a remark");
          console.log("of the console"); console.error("of the console"); console.table([1]);
        }
        Deno.writeTextFileSync("done", "done");
        return 7;
      };
      export default definePlugin({
        name: "acme",
        entryPoints: { "karotte.cli": { mytool: { description: "Prints.", main } } },
      });`,
  });
  const cwd = environment.path;
  const shown = await ending(["mytool"], to(""), { cwd });
  assertEquals(shown.code, 7, shown.stderr);
  assertEquals(shown.stdout.match(/a result|of the console/g)?.length, 6);
  for (const [name, redirections] of Object.entries(DESTINATIONS)) {
    await Deno.remove(`${cwd}/done`);
    const { code } = await ending(["mytool"], to(redirections), { cwd });
    assertEquals([code, await Deno.readTextFile(`${cwd}/done`)], [7, "done"], name);
  }
});

Deno.test("faults 1.3: a fault that nobody waits for ends the program, told or not", async () => {
  const fixture = [Deno.execPath(), "run", "--allow-all", "--no-lock", "--quiet"];
  const map = `--import-map=${ROOT}scripts/offline/imports.json`;
  for (const command of ["crash", "reject", "timer"]) {
    const argv = [...fixture, map, `${ROOT}tests/fixtures/cli/main.ts`, command];
    for (const redirections of Object.values(DESTINATIONS)) {
      const { code } = await run([...to(redirections), ...argv], { timeoutMs: 20_000 });
      assertEquals([command, code], [command, 1], redirections);
    }
  }
});

Deno.test("faults 1.3: what runs in a sandbox ends as ever without its log", async () => {
  await using dir = await tempDir();
  const script = `${dir.path}/check.js`;
  await Deno.writeTextFile(
    script,
    `console.log("a line"); console.error("a line");
     Deno.writeTextFileSync(Deno.args[0], "verdict");`,
  );
  for (const [name, redirections] of Object.entries(DESTINATIONS)) {
    const verdict = `${dir.path}/verdict`;
    const judged = await ending(["exec", script, verdict], to(redirections));
    assertEquals([judged.code, await Deno.readTextFile(verdict)], [0, "verdict"], name);
    await Deno.remove(verdict);
    assertEquals((await ending(["describe", "/no such"], to(redirections))).code, 1, name);
    const withoutHost = `sleep 1 | "$@" 3<&0 4>&1 0</dev/null ${redirections}`;
    const left = await ending(["harness"], ["sh", "-c", `${withoutHost} | cat`, "sh"]);
    assertEquals(left.stderr, "", name);
  }
});

Deno.test("a list whose stdout fails is told of on stderr", async () => {
  const { code, stderr } = await ending(["--help"], to(">/dev/full"));
  assertEquals(code, 0);
  assertMatch(stderr, /^warning: stdout can't be written any more, .*No space left on device/);
});
