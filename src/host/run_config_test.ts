import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { tempDir } from "../base/temp_dir.ts";
import { resolveRunConfig, type RunConfigRequest, splitRuns } from "./run_config.ts";

const MINIMAL = { run_id: "r1", task_id: "t", model: "anthropic/x" };

function resolve(config: unknown, flags: RunConfigRequest["flags"] = {}) {
  return resolveRunConfig({ config: JSON.stringify(config), flags, warn: () => {} });
}

async function refusal(request: RunConfigRequest): Promise<string> {
  const error = await assertRejects(() => resolveRunConfig(request), KarotteError);
  assertEquals([error.code, error.message.includes("\n")], ["usage", false]);
  return error.message;
}

Deno.test("resolveRunConfig() reads JSON text and fills in the defaults", async () => {
  const config = await resolve(MINIMAL);
  assertEquals([config.run_id, config.turn_limit, config.save_artifacts], ["r1", null, true]);
  assertEquals("transcript_file" in config, false);
});

Deno.test("resolveRunConfig() reads a file with byte order mark and CRLF", async () => {
  await using dir = await tempDir();
  const text = `\uFEFF${JSON.stringify(MINIMAL, null, 2).replaceAll("\n", "\r\n")}\r\n`;
  await Deno.writeTextFile(`${dir.path}/c.json`, text);
  assertEquals((await resolveRunConfig({ config: `${dir.path}/c.json` })).task_id, "t");
  assertEquals((await resolveRunConfig({ config: text })).task_id, "t");
});

Deno.test("resolveRunConfig() lets flags win over the file", async () => {
  const config = await resolve({ ...MINIMAL, use_fake_model: true, turn_limit: "ten" }, {
    task: "other",
    model: "m",
    modelApiKey: "$KEY",
    reasoningEffort: "max",
    transcriptFile: "out.json",
    turnLimit: 3,
    runId: "r2",
    fakeModel: false,
  });
  assertEquals(
    [config.task_id, config.model, config.model_api_key, config.reasoning_effort, config.run_id],
    ["other", "m", "$KEY", "max", "r2"],
  );
  assertEquals(
    [config.transcript_file, config.turn_limit, config.use_fake_model],
    ["out.json", 3, false],
  );
});

Deno.test("resolveRunConfig() tells a null transcript from an absent one", async () => {
  assertEquals((await resolve({ ...MINIMAL, transcript_file: null })).transcript_file, null);
});

Deno.test("resolveRunConfig() needs task and model without a config", async () => {
  assertEquals(await refusal({}), "Cannot run without --task and --model");
  const config = await resolveRunConfig({ flags: { task: "t", fakeModel: true } });
  assertEquals([config.model, config.use_fake_model], ["fake/scripted", true]);
  assertMatch(config.run_id, /^[0-9a-f]{8}$/);
});

Deno.test("resolveRunConfig() reads numbers in quotes as the original does", async () => {
  assertEquals((await resolve({ ...MINIMAL, turn_limit: "7" })).turn_limit, 7);
});

Deno.test("resolveRunConfig() names every field that is wrong", async () => {
  const config = JSON.stringify({
    ...MINIMAL,
    model: undefined,
    turn_limit: "ten",
    on_step_time_limit: "stop",
    mcp_server_config: { port: {} },
    step_time_limit_seconds: [1, "x"],
    model_api_key: 12345,
  });
  assertEquals(
    await refusal({ config }),
    "Cannot use the inline run config: model: expected a text, missing; " +
      "model_api_key: expected a text, found a number; " +
      'turn_limit: expected an integer, found "ten"; ' +
      "step_time_limit_seconds: expected a number or a list of numbers, found a list; " +
      'on_step_time_limit: expected "error" or "score", found "stop"; ' +
      "mcp_server_config.port: expected an integer, found an object",
  );
});

Deno.test("resolveRunConfig() refuses a run id that is not one path component", async () => {
  for (const run_id of ["a/b", "..", "a..b", ".hidden", "-x", "", "a\nb"]) {
    assertMatch(await refusal({ config: JSON.stringify({ ...MINIMAL, run_id }) }), /run_id: /);
  }
});

Deno.test("resolveRunConfig() warns of unknown fields and goes on", async () => {
  const warnings: string[] = [];
  const config = JSON.stringify({ ...MINIMAL, turn_limits: 3, zzz: 1 });
  await resolveRunConfig({ config, warn: (text) => warnings.push(text) });
  assertEquals(warnings, [
    'the run config has an unknown field "turn_limits", which is ignored; ' +
    'did you mean "turn_limit"?',
    'the run config has an unknown field "zzz", which is ignored',
  ]);
});

Deno.test("resolveRunConfig() says what is wrong with the file", async () => {
  await using dir = await tempDir();
  const write = async (name: string, content: string | Uint8Array) => {
    const path = `${dir.path}/${name}`;
    await Deno.writeFile(
      path,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
    return path;
  };
  assertMatch(await refusal({ config: `${dir.path}/none.json` }), /none\.json": no such file$/);
  assertMatch(await refusal({ config: dir.path }), /it is a directory$/);
  assertMatch(await refusal({ config: await write("list.json", "[1]") }), /found a list$/);
  const latin1 = await write("latin1.json", new Uint8Array([0x7b, 0xe9, 0x7d]));
  assertMatch(await refusal({ config: latin1 }), /not UTF-8 text$/);
  const comma = await write("comma.json", '{\r\n  "a": 1,\r\n}');
  assertMatch(await refusal({ config: comma }), /comma\.json": line 3, column 1: /);
  assertMatch(await refusal({ config: await write("empty.json", "") }), /line 1, column 1: /);
  assertMatch(await refusal({ config: '{"a": tru}' }), /inline run config: line 1, column 7: /);
});

Deno.test("splitRuns() gives each run its own id, port and transcript", async () => {
  const config = await resolve({ ...MINIMAL, transcript_file: "out/a.json" });
  assertEquals(splitRuns(config, 1), [config]);
  const [, second] = splitRuns(config, 2);
  assertEquals(
    [second?.run_id, second?.websocket_config.port, second?.transcript_file],
    ["r1-1", 8002, "out/a_1.json"],
  );
  const silent = splitRuns(await resolve({ ...MINIMAL, transcript_file: null }), 2);
  assertEquals(silent.map((run) => run.transcript_file), [null, null]);
  assertEquals(splitRuns(await resolve(MINIMAL), 2).some((run) => "transcript_file" in run), false);
});

Deno.test("resolveRunConfig() has a model and ceilings for judges", async () => {
  const flags = {
    judgeModel: "openai/j",
    maxJudgeQuestions: 2,
    maxJudgeTokens: 3,
    maxJudgeCost: 0.5,
  };
  const limits = { max_judge_questions: 9, max_judge_tokens: "10", max_judge_cost: 1.25 };
  for (
    const [given, expected] of [
      [flags, ["openai/j", 2, 3, 0.5]],
      [{}, [null, 9, 10, 1.25]],
    ] as const
  ) {
    const config = await resolve({ ...MINIMAL, ...limits }, given);
    assertEquals(
      [
        config.rubric_judge_model,
        config.max_judge_questions,
        config.max_judge_tokens,
        config.max_judge_cost,
      ],
      [...expected],
    );
  }
  const { max_judge_questions, max_judge_cost } = await resolve(MINIMAL);
  assertEquals([max_judge_questions, max_judge_cost], [null, null]);
  for (const field of Object.keys(limits)) {
    const config = JSON.stringify({ ...MINIMAL, [field]: -1 });
    assertStringIncludes(await refusal({ config }), `${field}: expected no negative number`);
  }
});

Deno.test("resolveRunConfig() sends a key for judges to no other provider than the file's", async () => {
  const file = {
    ...MINIMAL,
    rubric_judge_model: "openai/gpt-5",
    rubric_judge_api_key: "$OPENAI_API_KEY",
  };
  assertEquals(
    (await resolve(file, { judgeModel: "openai/gpt-5-mini" })).rubric_judge_model,
    "openai/gpt-5-mini",
  );
  assertEquals(
    await refusal({ config: JSON.stringify(file), flags: { judgeModel: "claude-opus-5" } }),
    'Cannot use --judge-model "claude-opus-5": rubric_judge_api_key is for "openai/gpt-5"',
  );
});
