import { assertEquals } from "@std/assert";
import { tempDir } from "../base/temp_dir.ts";
import type { HostLink } from "../protocol/host_link.ts";
import { runConfigSchema } from "../schemas/run_config.ts";
import { createTask } from "../sdk/create_task.ts";
import { AlwaysPassJudge } from "../sdk/judges/mod.ts";
import type { RunContext } from "../sdk/run_context.ts";
import { EventLog } from "./event_log.ts";
import { holdTask } from "./hold.ts";

const config = runConfigSchema.parse({ run_id: "r1", task_id: "t1", model: "m" });

/**
 * Types of the events of a task that is held until it is prepared, and whether its mark was right.
 */
async function hold(mark: string, preHook: () => Promise<Record<string, never>>) {
  const stop = new AbortController();
  const types: string[] = [];
  let marked: string | undefined;
  const activity: HostLink["activity"] = async ({ kind }) => {
    if (kind !== "prepared") return;
    marked = await Deno.readTextFile(mark);
    stop.abort(new Error("it is enough"));
  };
  const Task = createTask({
    id: "t1",
    tools: [],
    systemPrompt: "Be brief.",
    steps: [{ instructions: "Never seen.", judge: new AlwaysPassJudge() }],
    preHook,
  });
  await holdTask({
    config,
    events: new EventLog("r1", ({ type }) => Promise.resolve(void types.push(type))),
    // No more of them is used.
    link: { activity, declareTools: () => Promise.resolve() } as unknown as HostLink,
    context: { signal: stop.signal } as RunContext,
    reasoningEffort: null,
    warnings: [],
    loadTask: () => Promise.resolve({ task: new Task(config), tools: new Map() }),
  }, mark);
  return { types, marked, left: [...Deno.readDirSync(mark.slice(0, mark.lastIndexOf("/")))] };
}

Deno.test("a held task is marked until its end, and its events end with the system prompt", async () => {
  await using dir = await tempDir();
  const mark = `${dir.path}/mark`;
  await Deno.writeTextFile(mark, "of an earlier one, longer");
  const { types, marked, left } = await hold(mark, () => Promise.resolve({}));
  assertEquals(types, ["task_started", "task_pre_hook_completed", "message_added"]);
  assertEquals([marked, left], ["r1", []]);
});

Deno.test("a setup that fails ends with an error event and leaves no mark", async () => {
  await using dir = await tempDir();
  const mark = `${dir.path}/mark`;
  await Deno.writeTextFile(mark, "of an earlier one");
  const failing = () => Promise.reject(new Error("not today"));
  const { types, marked, left } = await hold(mark, failing);
  assertEquals(types, ["task_started", "error"]);
  assertEquals([marked, left], [undefined, []]);
});
