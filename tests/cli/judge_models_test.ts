import { assertEquals, assertStringIncludes } from "@std/assert";
import { wireServer } from "../models/wire/server.ts";
import { bashScript, probeTask, readEvents, testEnvironment } from "./environment.ts";
import { karotte } from "./karotte.ts";

const KEYS = {
  ANTHROPIC_API_KEY: "sk-anthropic-0123456789",
  OPENAI_API_KEY: "sk-openai-0123456789",
  ACME_API_KEY: "sk-acme-0123456789",
};

const MODEL = "anthropic/claude-opus-5";

interface Judged {
  /** Options of the judge. */
  readonly judge: string;
  /** What stands under "karotte" in deno.json. */
  readonly settings?: Record<string, unknown>;
  readonly flags?: readonly string[];
  /** What the model says. */
  readonly answer?: string;
}

/** Runs a scripted student before a judge with two criteria; returns the keys that were sent. */
async function judged({ judge, settings = {}, flags = [], answer = "YES" }: Judged) {
  const rubric = `[{ criterion: "A.", weight: 1 }, { criterion: "B.", weight: 1 }]`;
  await using environment = await testEnvironment({
    "/deno.json": JSON.stringify({
      imports: { "@karotte/cli/sdk": "jsr:@karotte/cli@^0.1/sdk" },
      karotte: settings,
    }),
    "fake_model.ts": bashScript("true"),
    "tasks/probe.ts": probeTask(
      `new sdk.RubricJudge({ rubric: ${rubric}, context: [() => "x"], ${judge} })`,
    ),
  });
  const keys: (string | null)[] = [];
  await using server = wireServer(({ headers, body }) => {
    keys.push(headers.get("x-api-key") ?? headers.get("authorization"));
    const asked = JSON.stringify(body);
    return { text: asked.includes("beds") ? "YES" : answer };
  });
  const args = ["run", "--task", "probe", "--run-id", "r1", "--fake-model"];
  const said = await karotte([...args, "--proxy", server.url, ...flags], {
    cwd: environment.path,
    env: KEYS,
  });
  const errors = (await readEvents(environment.path)).flatMap((event) =>
    event.type === "error" ? [event.message] : []
  );
  return { ...said, keys, errors };
}

Deno.test("with a fake model judges ask none of the environment's models, whatever it lists", async () => {
  const judge = `model: "${MODEL}"`;
  const settings = { judge_models: [MODEL] };
  const { code, keys, errors } = await judged({ judge, settings });
  assertEquals([code, keys], [1, []]);
  assertStringIncludes(errors.join(), `unless the run names it: --judge-model "${MODEL}"`);
  const named = await judged({ judge, settings, flags: ["--judge-model", MODEL] });
  const { ANTHROPIC_API_KEY } = KEYS;
  assertEquals([named.code, named.keys], [0, [ANTHROPIC_API_KEY, ANTHROPIC_API_KEY]], named.stderr);
});

Deno.test("a key is sent to no other provider than its own, by an environment's word alone", async () => {
  for (const variable of ["OPENAI_API_KEY", "ACME_API_KEY"]) {
    const { code, keys, errors } = await judged({
      judge: `apiKey: "$${variable}"`,
      settings: { judge_keys: { [`$${variable}`]: "anthropic" } },
      flags: ["--judge-model", MODEL],
    });
    assertEquals([code, keys], [1, []]);
    assertStringIncludes(errors.join(), `can't send ${variable} to provider "anthropic"`);
  }
});

Deno.test("a ceiling of judges is an error of the run that names it and its flag", async () => {
  const flags = ["--judge-model", MODEL];
  for (const [flag, text] of [["questions", "1 questions (1 were asked)"], ["cost", "$1e-9 ("]]) {
    const limit = flag === "cost" ? "0.000000001" : "1";
    const { code, keys, errors } = await judged({
      judge: "",
      flags: [...flags, `--max-judge-${flag}`, limit],
    });
    assertEquals([code, keys.length], [1, 1]);
    assertStringIncludes(errors.join(), text!);
    assertStringIncludes(errors.join(), `raise it with --max-judge-${flag}`);
  }
});

Deno.test("unclear answers reach no ceiling of questions", async () => {
  const { code, keys, stderr } = await judged({
    judge: "",
    answer: "Perhaps.",
    flags: ["--judge-model", MODEL, "--max-judge-questions", "2"],
  });
  // Two criteria, asked about twice, and a control question.
  assertEquals([code, keys.length], [0, 5], stderr);
});
