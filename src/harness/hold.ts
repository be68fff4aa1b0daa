import { aborted, orAbort } from "../base/promises.ts";
import { removeIfThere } from "../base/temp_dir.ts";
import { type ConfiguredTask, errorEvent, setUpTask, type TaskSetup } from "./runner.ts";

/**
 * Sets a task up, tells the host and leaves a mark with the run's id, then holds until the run's
 * signal. What fails is the run's error event. Never throws for what the task does.
 */
export async function holdTask(
  run: TaskSetup<ConfiguredTask>,
  mark = `/tmp/karotte_prepared_${run.config.run_id}`,
): Promise<void> {
  const { config, context: { signal }, events, link } = run;
  await removeIfThere(mark);
  try {
    await orAbort(setUpTask(run), signal);
  } catch (error) {
    if (!signal.aborted) await events.emit(errorEvent(error));
    return;
  }
  await Deno.writeTextFile(mark, config.run_id, { createNew: true });
  await link.activity({ name: "no step", kind: "prepared" });
  await aborted(signal);
  await removeIfThere(mark);
}
