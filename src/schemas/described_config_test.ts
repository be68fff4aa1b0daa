import { assertEquals } from "@std/assert";
import { describedConfig, placeholderConfig, recordReads } from "./described_config.ts";
import { runConfigSchema } from "./run_config.ts";

const CONFIG = runConfigSchema.parse({
  ...{ run_id: "r1", task_id: "t", model: "a/b", model_api_key: "sk-1", turn_limit: 3 },
  ...{ rubric_judge_api_key: "sk-2", backend_uri: "https://x.test", transcript_file: "/home/me/x" },
  extra_config: { size: "large" },
});

Deno.test("describedConfig() has no key, run id and path of the host", () => {
  const { run_id, transcript_file, ...rest } = describedConfig(CONFIG);
  assertEquals([run_id, transcript_file], ["describe", undefined]);
  assertEquals([rest.model_api_key, rest.rubric_judge_api_key, rest.backend_uri], [
    ...[null, null, null],
  ]);
  assertEquals([rest.model, rest.turn_limit, rest.extra_config], ["a/b", 3, { size: "large" }]);
});

Deno.test("recordReads() names the fields that were read and may differ between runs", () => {
  const { config, reads } = recordReads(CONFIG);
  void [config.task_id, config.run_id, config.model_api_key];
  assertEquals(reads(), []);
  void config.turn_limit;
  void config.extra_config?.["size"];
  assertEquals(reads(), ["extra_config", "turn_limit"]);
});

Deno.test("recordReads() returns a config that can be cloned, spread, printed and changed", () => {
  const { config, reads } = recordReads(CONFIG);
  assertEquals(structuredClone(config), CONFIG);
  assertEquals({ ...config }, CONFIG);
  assertEquals(JSON.parse(JSON.stringify(config)), JSON.parse(JSON.stringify(CONFIG)));
  assertEquals(reads().includes("step_time_limit_seconds"), true);
  config.turn_limit = 5;
  assertEquals([config.turn_limit, CONFIG.turn_limit], [5, 3]);
});

Deno.test("placeholderConfig() is one whose fields have their defaults", () => {
  const { task_id, model, use_hints } = placeholderConfig("t");
  assertEquals([task_id, model, use_hints], ["t", "none", true]);
});
