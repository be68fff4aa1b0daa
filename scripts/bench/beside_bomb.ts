import { bashScript, probeTask, testEnvironment } from "../../tests/cli/environment.ts";
import { startKarotte } from "../../tests/cli/karotte.ts";
import type { Measured } from "./measured.ts";
import { median, significant, timesOf } from "./samples.ts";
import { failure, ONLY_LOCAL_PLUGINS, successful } from "./successful.ts";

/** Rounds of the run that is measured, without the bomb and beside it. */
const ROUNDS = 5;
/** Seconds for which the bomb's call of `bash` goes on: longer than all rounds. */
const BOMB_S = 120;
/** Milliseconds for a bomb to fill its sandbox. */
const FILLING_MS = 5_000;

/** Forks that never wait, some hundred at once as in the tests: the machine has other work. */
const BOMB = "ulimit -Su 300; perl -e '$SIG{CHLD} = q(IGNORE); fork while 1'";

const TASK = probeTask("new AlwaysPassJudge()", {
  fields: `configureTools: () => ({ bash: { default_timeout_s: ${BOMB_S} } }),`,
});

/**
 * A run beside another one whose student plays a fork bomb, to the same run alone. Only where it is
 * asked for: it disturbs whatever else the machine does.
 */
export async function measureBesideBomb(signal: AbortSignal): Promise<Measured> {
  const what = "a run beside a fork bomb in another run's sandbox, to the run alone";
  await using bombed = await testEnvironment({
    "fake_model.ts": bashScript(BOMB),
    "tasks/probe.ts": TASK,
  });
  await using honest = await testEnvironment({
    "fake_model.ts": bashScript("seq 1000 > answer.txt; ls -l"),
    "tasks/probe.ts": TASK,
  });
  let runs = 0;
  const timeRuns = async () => {
    const one = () => successful(argumentsOf(`r${runs++}`), { cwd: honest.path });
    const [times = []] = await timesOf([one], { rounds: ROUNDS, signal });
    return median(times);
  };
  const alone = await timeRuns();
  const bomb = startKarotte(argumentsOf("bomb"), { cwd: bombed.path, env: ONLY_LOCAL_PLUGINS });
  const said = Promise.all([new Response(bomb.stdout).text(), new Response(bomb.stderr).text()]);
  let isOver = false;
  const ended = bomb.status.finally(() => isOver = true);
  let beside: number;
  try {
    await new Promise((resolve) => setTimeout(resolve, FILLING_MS));
    beside = await timeRuns();
    if (isOver) {
      const [stdout, stderr] = await said;
      throw failure("the run with the bomb", { code: (await ended).code, stdout, stderr });
    }
  } finally {
    if (!isOver) Deno.kill(bomb.pid, "SIGTERM");
    await Promise.all([ended, said]);
  }
  const detail = `${significant(beside)} ms beside it, ${significant(alone)} ms alone`;
  return { what, value: beside / alone, unit: "x", target: 2, detail };
}

function argumentsOf(id: string): string[] {
  return [
    ...["run", "--task", "probe", "--fake-model", "--runtime", "bubblewrap"],
    ...["--run-id", id],
  ];
}
