import { tempDir } from "../../src/base/temp_dir.ts";
import type { Measured } from "./measured.ts";
import { median, spread, timesOf } from "./samples.ts";
import { successful } from "./successful.ts";

/** A whole `karotte run` of the default template's example; the first run fills the cache. */
export async function measureExampleRun(signal: AbortSignal): Promise<Measured> {
  await using dir = await tempDir();
  await successful(["create-env", "environment"], { cwd: dir.path });
  const cwd = `${dir.path}/environment`;
  const args = ["run", "--task", "example_task", "--fake-model", "--runtime", "bubblewrap"];
  const [times = []] = await timesOf([() => successful(args, { cwd })], { rounds: 7, signal });
  const seconds = times.map((time) => time / 1000);
  return {
    what: "karotte run of the example, scripted model, warm cache",
    value: median(seconds),
    unit: "s",
    target: 1.5,
    detail: spread(seconds, "s"),
  };
}
