import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Engine } from "../../src/runtimes/engine/record.ts";
import { probeTask } from "../cli/environment.ts";
import { engineHere, engineTest } from "../conformance/engine_here.ts";
import { engineEnvironment } from "./environment.ts";

/** Seconds that a call of `bash` may take. */
const LIMIT_S = 5;

/** What the student leaves behind in the run of this id. */
const COMMANDS = {
  survivors: `cat >serve.pl <<'END'
use IO::Socket;
my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => 8000);
while (my $c = $s->accept) { close $c }
END
    nohup setsid perl serve.pl >/dev/null 2>&1 &
    nohup setsid sh -c 'trap "" TERM HUP INT; while sleep 0.1; do echo 0 >answer.txt; done' \\
      >/dev/null 2>&1 &
    for i in $(seq 100); do (exec 3<>/dev/tcp/127.0.0.1/8000) 2>/dev/null && break; sleep 0.1; done`,
  bomb: `nohup setsid perl -e '
    $SIG{HUP} = "IGNORE"; while (1) { my $p = fork; if (defined $p && !$p) { sleep 1000; exit } }
    ' >/dev/null 2>&1 & sleep 3`,
};

const FAKE_MODEL = `export const getMessages = ({ run_id }) => [
  { tool_calls: [{ function: {
    name: "bash",
    arguments: JSON.stringify({ command: ${JSON.stringify(COMMANDS)}[run_id] }),
  } }] },
  { content: "done" },
];`;

/** A judge whose own file is what a survivor would overwrite, and who needs room for a process. */
const JUDGE = `class Starting extends Judge {
  override async evaluate() {
    await Deno.writeTextFile("/workdir/answer.txt", "42");
    const { success } = await new Deno.Command("/bin/sleep", { args: ["0.5"] }).output();
    const answer = await Deno.readTextFile("/workdir/answer.txt");
    return scoring(success && answer === "42" ? 0.5 : 0);
  }
}`;

/** Registers the test of what a student leaves running, on one engine. */
export async function testStepEnd(engine: Engine): Promise<void> {
  const here = await engineHere(engine);

  engineTest(here, "what outlives a step is killed and told, a process bomb too", async () => {
    await using environment = await engineEnvironment(here, {
      "fake_model.ts": FAKE_MODEL,
      "tasks/probe.ts": probeTask("new Starting()", {
        before: JUDGE,
        fields: `configureTools: () => ({ bash: { default_timeout_s: ${LIMIT_S} } }),`,
      }),
    });
    await environment.writeContainerfile("");
    const play = async (id: string) => {
      const start = performance.now();
      const args = ["run", "--task", "probe", "--fake-model", "--run-id", id];
      const { code, stderr } = await environment.karotte(...args);
      const events = await environment.events(id);
      const of = (type: string) => events.filter((event) => event.type === type);
      assertEquals([code, of("error")], [0, []], stderr);
      const scores = events.flatMap((event) =>
        event.type === "scoring" ? [event.scoring.score] : []
      );
      // On an engine the bomb shares a limit of processes with the harness, which may die of it.
      const isDead = events.some((event) =>
        event.type === "scoring" && event.scoring.metadata?.student_exhausted_sandbox !== undefined
      );
      assertEquals(scores, [isDead && id === "bomb" ? 0 : 0.5], stderr);
      const seconds = (performance.now() - start) / 1000;
      if (isDead) return { ended: undefined, stderr, seconds };
      const [ended] = events.flatMap((event) =>
        event.type === "student_processes_ended" ? [event.metadata] : []
      );
      assert(ended !== undefined, `nothing is said to have ended: ${stderr}`);
      return { ended, stderr, seconds };
    };
    const left = await play("survivors");
    const names = (left.ended?.processes ?? []).map(({ name }) => name);
    assert(names.includes("perl") && names.includes("sh"), names.join());
    assertStringIncludes(left.stderr, "listens on 127.0.0.1:8000: keepProcesses: true on the step");
    const bomb = await play("bomb");
    const count = bomb.ended?.count ?? Infinity;
    assert(count > 20, `${count} processes`);
    assert(bomb.seconds < LIMIT_S + 30, `${bomb.seconds} s`);
  });
}
