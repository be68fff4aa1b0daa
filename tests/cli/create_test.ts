import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { tempDir } from "../../src/base/temp_dir.ts";
import { RUN_CONFIG_FIELDS } from "../../src/schemas/run_config.ts";
import { karotte as call } from "./karotte.ts";

const karotte = (cwd: string, ...args: string[]) => call(args, { cwd });

Deno.test("karotte create-env makes an environment and says how to go on", async () => {
  await using dir = await tempDir();
  const { code, stdout } = await karotte(dir.path, "create-env", "garden");
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Created ");
  assertStringIncludes(stdout, "run --task example_task --fake-model");
  assertEquals((await Deno.stat(`${dir.path}/garden/src/environment/tasks`)).isDirectory, true);
  const again = await karotte(dir.path, "create-env", "garden");
  assertEquals(again.code, 2);
  assertMatch(again.stderr, /^error: [^\n]+\nhint: [^\n]+\n$/);
});

Deno.test("karotte create-run-config writes a config with all fields, once", async () => {
  await using dir = await tempDir();
  const here = dir.path;
  await karotte(here, "create-env", "garden");
  const create = (...args: string[]) =>
    karotte(here, "-C", "garden", "create-run-config", "--model", "anthropic/x", ...args);

  assertEquals(await create(), { code: 0, stdout: "run_config.json\n", stderr: "" });
  const config = JSON.parse(await Deno.readTextFile(`${here}/run_config.json`));
  assertEquals(Object.keys(config), RUN_CONFIG_FIELDS);
  assertMatch(config.run_id, /^[0-9a-f]{8}$/);
  assertEquals(
    [config.task_id, config.model, config.model_api_key, config.transcript_file],
    ["example_task", "anthropic/x", null, "out/transcript.json"],
  );

  const again = await create();
  assertEquals([again.code, again.stdout], [2, ""]);
  assertStringIncludes(again.stderr, '"run_config.json": it exists\nhint: ');
  assertEquals((await create("--force", "--model-api-key", "$MY_KEY")).code, 0);
  const replaced = JSON.parse(await Deno.readTextFile(`${here}/run_config.json`));
  assertEquals(replaced.model_api_key, "$MY_KEY");

  await create("key.json", "--model-api-key", "secret");
  assertEquals(((await Deno.stat(`${here}/key.json`)).mode ?? 0) & 0o777, 0o600);

  const wrong = await create("other.json", "--task", "exampel_task");
  assertEquals(wrong.code, 2);
  assertStringIncludes(wrong.stderr, '"exampel_task": the environment does not have it\nhint: did');
  await assertRejects(() => Deno.stat(`${here}/other.json`), Deno.errors.NotFound);
});

Deno.test("karotte create-run-config needs a model and an environment", async () => {
  await using dir = await tempDir();
  const noModel = await karotte(dir.path, "create-run-config");
  assertEquals(noModel.code, 2);
  assertStringIncludes(noModel.stderr, "without --model");
  const nowhere = await karotte(dir.path, "create-run-config", "--model", "m");
  assertEquals(nowhere.code, 2);
  assertMatch(nowhere.stderr, /^error: [^\n]+\nhint: [^\n]+\n$/);
});
