import { assert, assertEquals } from "@std/assert";
import { bashScript, probeTask, testEnvironment } from "./environment.ts";

/** Seconds that a call of `bash` may take in these runs. */
const LIMIT_S = 5;

/**
 * Programs that fill the sandbox. Each call of `bash` runs into its limit, or leaves them behind.
 * Those that take the processors are held to some hundred: the machine has other work.
 */
const BOMBS = {
  "a fork bomb in the background":
    "ulimit -Su 300; b() { b | b & b; }; (b) >/dev/null 2>&1 & sleep 2",
  "a fork bomb in the foreground": "ulimit -Su 300; b() { b | b & b; }; b >/dev/null 2>&1",
  "chains that fork and exit": `for i in 1 2 3 4; do setsid perl -e '
    $SIG{CHLD} = "IGNORE"; $SIG{HUP} = "IGNORE"; while (1) { my $p = fork; exit if $p; }
    ' >/dev/null 2>&1 & done; sleep 1`,
  "a limit of processes that stays full": `nohup setsid perl -e '
    $SIG{HUP} = "IGNORE"; while (1) { my $p = fork; if (defined $p && !$p) { sleep 1000; exit } }
    ' >/dev/null 2>&1 & sleep 3`,
  "stopped processes and a ring that continues itself": `
    for i in $(seq 50); do setsid sleep 1000 & kill -STOP $!; done
    for i in $(seq 5); do setsid perl -e 'kill "CONT", -1 while 1' & done >/dev/null 2>&1; sleep 1`,
};

/** The judge starts a program of root's, which needs room for a process. */
const STARTING = `
  class Starting extends Judge {
    override async evaluate() {
      const { success } = await new Deno.Command("/bin/true").output();
      return scoring(success ? 0.5 : 0);
    }
  }`;

for (const [name, command] of Object.entries(BOMBS)) {
  Deno.test(`a run with ${name} ends with a score, in time`, async () => {
    await using environment = await testEnvironment({
      "fake_model.ts": bashScript(command),
      "tasks/probe.ts": probeTask("new Starting()", {
        before: STARTING,
        fields: `configureTools: () => ({ bash: { default_timeout_s: ${LIMIT_S} } }),`,
      }),
    });
    const start = performance.now();
    const { code, events, stderr } = await environment.run();
    const seconds = (performance.now() - start) / 1000;
    const errors = events.flatMap((event) => event.type === "error" ? [event.message] : []);
    assertEquals([code, errors], [0, []], stderr);
    const scores = events.flatMap((event) => event.type === "scoring" ? [event.scoring.score] : []);
    assertEquals(scores, [0.5], stderr);
    assert(seconds < LIMIT_S + 30, `${seconds} s`);
  });
}
