import { assertEquals } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { type EvaluationRunConfig, runConfigSchema } from "../../schemas/run_config.ts";
import type { EnvironmentDescription } from "../../schemas/task_description.ts";
import { describeForConfig } from "./describe_for_config.ts";

function configOf(fields: Partial<EvaluationRunConfig>): EvaluationRunConfig {
  return runConfigSchema.parse({ run_id: "r", task_id: "t", model: "a/b", ...fields });
}

function description(hardware: string | null, fields: string[]): EnvironmentDescription {
  const task = (id: string) => ({
    ...{ id, tools: [], required_hardware: hardware, data_mounts: [], submission_paths: [] },
    scoring_time_limit_seconds: 600,
  });
  return {
    ...{ tasks: [task("t")], tools: [], has_fake_model: false, warnings: [] },
    missing_programs: [],
    config_reads: [{ task_id: "t", fields }],
  };
}

/** Reads `use_hints`, and with hints `turn_limit` too. */
function describe({ use_hints, turn_limit }: EvaluationRunConfig): EnvironmentDescription {
  return use_hints
    ? description(`hints ${turn_limit}`, ["turn_limit", "use_hints"])
    : description("none", ["use_hints"]);
}

Deno.test("describeForConfig() keeps descriptions by the fields that were read", async () => {
  await using dir = await tempDir();
  let calls = 0;
  const hardware = async (fields: Partial<EvaluationRunConfig>, digest = "d") => {
    const first = description(null, ["use_hints"]);
    const { tasks } = await describeForConfig(first, configOf(fields), {
      cacheDirectory: dir.path,
      digest,
      describe(config) {
        calls++;
        return Promise.resolve(describe(config));
      },
    });
    return [tasks.map(({ required_hardware }) => required_hardware).join(), calls];
  };
  assertEquals(await hardware({ use_hints: false, turn_limit: 1 }), ["none", 1]);
  assertEquals(await hardware({ use_hints: false, turn_limit: 2 }), ["none", 1]);
  assertEquals(await hardware({ use_hints: true, turn_limit: 1 }), ["hints 1", 2]);
  assertEquals(await hardware({ use_hints: true, turn_limit: 2 }), ["hints 2", 3]);
  assertEquals(await hardware({ use_hints: true, turn_limit: 1, model: "c/d" }), ["hints 1", 3]);
  assertEquals(await hardware({ use_hints: true, turn_limit: 2 }), ["hints 2", 3]);
  assertEquals(await hardware({ use_hints: true, turn_limit: 2 }, "other"), ["hints 2", 4]);
});

Deno.test("describeForConfig() leaves a task alone that reads nothing of it", async () => {
  await using dir = await tempDir();
  const first = description("gpu", []);
  const same = await describeForConfig(first, configOf({}), {
    cacheDirectory: dir.path,
    digest: "d",
    describe: () => Promise.reject(new Error("described")),
  });
  assertEquals(same, first);
});

Deno.test("describeForConfig() replaces what only the task itself said", async () => {
  await using dir = await tempDir();
  const missing = (task_id: string, message: string) => ({ task_id, message });
  const all = {
    ...description("small", ["model"]),
    missing_programs: [missing("t", "old"), missing("u", "other")],
  };
  const found = {
    ...description("large", ["model"]),
    missing_programs: [missing("t", "new")],
  };
  const { missing_programs, tasks } = await describeForConfig(all, configOf({}), {
    cacheDirectory: dir.path,
    digest: "d",
    describe: () => Promise.resolve(found),
  });
  assertEquals(tasks, found.tasks);
  assertEquals(missing_programs, [missing("u", "other"), missing("t", "new")]);
});
