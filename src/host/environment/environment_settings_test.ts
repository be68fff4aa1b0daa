import { assertEquals, assertRejects } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { environmentSettings } from "./environment_settings.ts";

Deno.test("an environment's settings come from its deno.json", async () => {
  await using dir = await tempDir();
  const none = { image: undefined, judgeModels: [] };
  assertEquals(await environmentSettings(dir.path), none);
  for (const text of ["{}", '{ "karotte": null }', '{ "karotte": { "other": 1 } }']) {
    await Deno.writeTextFile(`${dir.path}/deno.json`, text);
    assertEquals(await environmentSettings(dir.path), none);
  }
  await Deno.writeTextFile(
    `${dir.path}/deno.json`,
    '{ "karotte": { "image": "debian:12", "judge_models": ["claude-opus-5", "openai/gpt-5"] } } // c',
  );
  assertEquals(await environmentSettings(dir.path), {
    image: "debian:12",
    judgeModels: ["claude-opus-5", "openai/gpt-5"],
  });
});

Deno.test("what is no list of models is refused", async () => {
  await using dir = await tempDir();
  for (const models of ['"openai/gpt-5"', "null", "[1]", '[""]', '["a b"]', "{}"]) {
    await Deno.writeTextFile(
      `${dir.path}/deno.json`,
      `{ "karotte": { "judge_models": ${models} } }`,
    );
    await assertRejects(() => environmentSettings(dir.path), Error, "no list of models");
  }
});
