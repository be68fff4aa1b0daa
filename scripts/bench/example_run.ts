import { tempDir } from "../../src/base/temp_dir.ts";
import type { Measured } from "./measured.ts";
import { median, spread, timesOf } from "./samples.ts";
import { successful } from "./successful.ts";

/** What the harness does at the end of a step. */
const STEP_END_GUARDS = "kill,links,submission";

/**
 * A whole `karotte run` of the default template's example; the first run fills the cache. Beside it
 * the same without what ends a step: runs of both take turns.
 */
export async function measureExampleRun(signal: AbortSignal): Promise<Measured[]> {
  await using dir = await tempDir();
  await successful(["create-env", "environment"], { cwd: dir.path });
  const cwd = `${dir.path}/environment`;
  const args = ["run", "--task", "example_task", "--fake-model", "--runtime", "bubblewrap"];
  const env = { KAROTTE_TEST_WITHOUT: STEP_END_GUARDS };
  const [times = [], unguarded = []] = await timesOf([
    () => successful(args, { cwd }),
    () => successful(args, { cwd, env }),
  ], { rounds: 9, signal });
  const seconds = times.map((time) => time / 1000);
  const ratios = times.map((time, round) => time / unguarded[round]!);
  return [
    {
      what: "karotte run of the example, scripted model, warm cache",
      value: median(seconds),
      unit: "s",
      target: 1.5,
      detail: spread(seconds, "s"),
    },
    {
      what: "the same to a run that ends no process, looks for no link and copies as root",
      value: median(ratios),
      unit: "x",
      target: 1.1,
      detail: spread(ratios, "x"),
    },
  ];
}
