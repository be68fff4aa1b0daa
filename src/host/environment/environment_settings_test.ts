import { assertEquals, assertRejects } from "@std/assert";
import { tempDir } from "../../base/temp_dir.ts";
import { environmentSettings } from "./environment_settings.ts";

Deno.test("an environment's settings come from its deno.json", async () => {
  await using dir = await tempDir();
  const none = { image: undefined, judgeModels: [], judgeKeys: [] };
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
    judgeKeys: [],
  });
});

Deno.test("models and keys for judges are lists in order, each once", async () => {
  await using dir = await tempDir();
  const karotte = {
    judge_models: ["xai/b", "openai/a", "xai/b"],
    judge_keys: { $Z_API_KEY: "xai", $ACME_API_KEY: "anthropic" },
  };
  await Deno.writeTextFile(`${dir.path}/deno.json`, JSON.stringify({ karotte }));
  assertEquals(await environmentSettings(dir.path), {
    image: undefined,
    judgeModels: ["openai/a", "xai/b"],
    judgeKeys: [
      { variable: "ACME_API_KEY", provider: "anthropic" },
      { variable: "Z_API_KEY", provider: "xai" },
    ],
  });
});

Deno.test("keys for judges are names of variables, and no value is shown", async () => {
  await using dir = await tempDir();
  for (
    const judge_keys of [
      null,
      ["$ACME_API_KEY"],
      "$ACME_API_KEY",
      { "sk-secret": "anthropic" },
      { $HOME: "anthropic" },
      { ACME_API_KEY: "anthropic" },
      { $ACME_API_KEY: "" },
      { $ACME_API_KEY: 1 },
      { $ACME_API_KEY: ["anthropic"] },
    ]
  ) {
    await Deno.writeTextFile(`${dir.path}/deno.json`, JSON.stringify({ karotte: { judge_keys } }));
    const error = await assertRejects(() => environmentSettings(dir.path), Error, "judge_keys");
    assertEquals(error.message.includes("sk-secret"), false);
  }
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
