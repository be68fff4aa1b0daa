import { assertEquals, assertThrows } from "@std/assert";
import { KarotteError } from "../../base/errors.ts";
import {
  judgeModelOf,
  keyVariablesOf,
  literalKeyWarning,
  resolveJudgeKey,
  resolveModelKey,
} from "./model_keys.ts";

const CONFIG = {
  model: "anthropic/claude-opus-5",
  model_api_key: null,
  rubric_judge_model: null,
  rubric_judge_api_key: null,
  use_fake_model: false,
};
type Change = Partial<Parameters<typeof resolveModelKey>[0]>;

interface Row {
  readonly change: Change;
  readonly variables?: Record<string, string>;
  readonly prepareOnly?: boolean;
  readonly proxied?: boolean;
  readonly replayed?: boolean;
}

interface Expected {
  readonly key: string | null;
  readonly variable?: string;
  readonly warning?: string;
}

function resolve(resolver: typeof resolveModelKey, { change, variables = {}, ...flags }: Row) {
  const readVariable = (name: string) =>
    Object.hasOwn(variables, name) ? variables[name] : undefined;
  return resolver({ ...CONFIG, ...change }, { readVariable, ...flags });
}

function check(resolver: typeof resolveModelKey, row: Row, expected: Expected): void {
  const { warnings, ...found } = resolve(resolver, row);
  const { key, variable } = expected;
  assertEquals([row, found], [row, { key, variable }]);
  assertEquals(warnings.length, expected.warning === undefined ? 0 : 1);
  if (expected.warning !== undefined) assertEquals(warnings[0]?.includes(expected.warning), true);
}

const CLAUDE = { ANTHROPIC_API_KEY: "from-anthropic" };

Deno.test("resolveModelKey() takes a literal as it is and asks no variable", () => {
  const readVariable = () => {
    throw new Error("asked");
  };
  for (const use_fake_model of [false, true]) {
    for (const proxied of [false, true]) {
      const config = { ...CONFIG, model_api_key: "sk-literal", use_fake_model };
      const expected = { key: "sk-literal", variable: undefined, warnings: [] };
      assertEquals(resolveModelKey(config, { readVariable, proxied }), expected);
    }
  }
  const fake = { ...CONFIG, use_fake_model: true };
  assertEquals(resolveModelKey(fake, { readVariable }), {
    key: null,
    variable: undefined,
    warnings: [],
  });
});

Deno.test("resolveModelKey() looks up the variable of the model's provider", () => {
  const variables: Record<string, string> = {
    "anthropic/claude-opus-5": "ANTHROPIC_API_KEY",
    "claude-opus-5": "ANTHROPIC_API_KEY",
    "some-bare-name": "ANTHROPIC_API_KEY",
    "openai/gpt-5.5": "OPENAI_API_KEY",
    "gemini/gemini-3.8-flash": "GEMINI_API_KEY",
    "mistral/mistral-large-4": "MISTRAL_API_KEY",
    "xai/grok-4.7": "XAI_API_KEY",
    "together_ai/zai-org/GLM-5.3": "TOGETHERAI_API_KEY",
    "fireworks_ai/accounts/fireworks/models/kimi-k3": "FIREWORKS_AI_API_KEY",
  };
  for (const [model, variable] of Object.entries(variables)) {
    const row = { change: { model }, variables: { [variable]: "key-value" } };
    check(resolveModelKey, row, { key: "key-value", variable });
  }
});

Deno.test("resolveModelKey() says so where it guesses the variable", () => {
  check(resolveModelKey, {
    change: { model: "acme/x" },
    variables: { ACME_API_KEY: "key-value" },
  }, { key: "key-value", variable: "ACME_API_KEY", warning: "taken from ACME_API_KEY, a guess" });
  check(resolveModelKey, {
    change: { model: "acme-cloud/x" },
    variables: { ACME_CLOUD_API_KEY: "key-value" },
  }, { key: "key-value", variable: "ACME_CLOUD_API_KEY", warning: "ACME_CLOUD_API_KEY" });
});

Deno.test("resolveModelKey() asks none where the model needs none", () => {
  for (const model of ["vertex_ai/gemini-3.8-flash", "pt/x", "ollama/qwen3:8b"]) {
    for (const proxied of [false, true]) {
      check(resolveModelKey, { change: { model }, proxied }, { key: null });
    }
  }
});

Deno.test("resolveModelKey() reads the variable that is named, for the fake model too", () => {
  const variables = { MY_KEY: "my-own-key", ANTHROPIC_API_KEY: "not-this-one" };
  for (const use_fake_model of [false, true]) {
    const change = { model_api_key: "$MY_KEY", use_fake_model };
    check(resolveModelKey, { change, variables }, { key: "my-own-key", variable: "MY_KEY" });
  }
});

Deno.test("resolveModelKey() takes an empty variable for one that is set", () => {
  const variables = { ANTHROPIC_API_KEY: "" };
  check(resolveModelKey, { change: {}, variables }, { key: "", variable: "ANTHROPIC_API_KEY" });
});

Deno.test("resolveModelKey() names the variable that is missing, and the model", () => {
  const own = assertThrows(
    () => resolve(resolveModelKey, { change: {} }),
    KarotteError,
    'Cannot call model "anthropic/claude-opus-5": ANTHROPIC_API_KEY is not set',
  );
  assertEquals(own.code, "usage");
  assertThrows(
    () => resolve(resolveModelKey, { change: { model_api_key: "$MY_KEY" }, variables: CLAUDE }),
    KarotteError,
    '"anthropic/claude-opus-5": MY_KEY, which model_api_key names, is not set',
  );
});

Deno.test("resolveModelKey() leaves a missing key where no model is asked", () => {
  const named = { model_api_key: "$MY_KEY" };
  const prepareOnly = true;
  check(resolveModelKey, { change: {}, prepareOnly }, { key: null, variable: "ANTHROPIC_API_KEY" });
  check(resolveModelKey, { change: named, prepareOnly }, { key: null, variable: "MY_KEY" });
  check(resolveModelKey, { change: { ...named, use_fake_model: true } }, {
    ...{ key: null, variable: "MY_KEY" },
  });
});

Deno.test("resolveModelKey() gives a proxy a placeholder for what is unset or empty", () => {
  const placeholder = { key: "model_api_key", variable: "ANTHROPIC_API_KEY" };
  check(resolveModelKey, { change: {}, proxied: true }, placeholder);
  const empty = { ANTHROPIC_API_KEY: "" };
  check(resolveModelKey, { change: {}, variables: empty, proxied: true }, placeholder);
  check(resolveModelKey, { change: {}, variables: CLAUDE, proxied: true }, {
    ...{ key: "from-anthropic", variable: "ANTHROPIC_API_KEY" },
  });
});

Deno.test("faults 3.6: a variable that was named must be set wherever a model is called", () => {
  const named = { model_api_key: "$MY_KEY" };
  const judged = { rubric_judge_api_key: "$MY_KEY", model_api_key: "sk-literal" };
  for (const flags of [{}, { proxied: true }]) {
    for (
      const [resolver, change] of [[resolveModelKey, named], [resolveJudgeKey, judged]] as const
    ) {
      const error = assertThrows(
        () => resolve(resolver, { change, variables: CLAUDE, ...flags }),
        KarotteError,
        'Cannot call model "anthropic/claude-opus-5": MY_KEY, which ',
      );
      assertEquals(
        [error.code, error.hint?.includes("'$NAME'") || error.hint?.includes('"$NAME"')],
        [
          "usage",
          true,
        ],
      );
    }
  }
});

Deno.test("faults 3.6: a replay, a script and a preparation need no key, whatever was named", () => {
  for (const model_api_key of ["$MY_KEY", "$", "sk with a space", null]) {
    const change = { model_api_key, rubric_judge_api_key: model_api_key };
    for (const proxied of [false, true]) {
      const replayed = { change, proxied, replayed: true };
      assertEquals(resolve(resolveModelKey, replayed).key, "model_api_key");
      assertEquals(resolve(resolveJudgeKey, replayed).key, "model_api_key");
      resolve(resolveModelKey, { change, proxied, prepareOnly: true });
      resolve(resolveJudgeKey, { change, proxied, prepareOnly: true });
      const fake = { ...change, use_fake_model: true };
      resolve(resolveModelKey, { change: fake, proxied });
      resolve(resolveJudgeKey, { change: fake, proxied });
    }
  }
});

Deno.test("resolveModelKey() does not repeat a key that looks like the name of a variable", () => {
  for (const model_api_key of ["$", "$ecret-k3y", "$A=B", "${MY_KEY}"]) {
    const error = assertThrows(
      () => resolve(resolveModelKey, { change: { model_api_key } }),
      KarotteError,
      'what stands after the "$" of model_api_key is no name of a variable',
    );
    assertEquals(model_api_key.length > 1 && error.message.includes(model_api_key), false);
    assertEquals(keyVariablesOf({ ...CONFIG, model_api_key }), []);
  }
});

Deno.test("judgeModelOf() is the one named, else the run's own where a model is called", () => {
  assertEquals(judgeModelOf(CONFIG), CONFIG.model);
  assertEquals(judgeModelOf({ ...CONFIG, use_fake_model: true }), null);
  assertEquals(judgeModelOf({ ...CONFIG, model: "pt/x" }), null);
  const named = { ...CONFIG, rubric_judge_model: "openai/gpt-5.5", use_fake_model: true };
  assertEquals(judgeModelOf(named), "openai/gpt-5.5");
});

Deno.test("resolveJudgeKey() is the run's key where the run's model judges", () => {
  check(resolveJudgeKey, { change: { model_api_key: "sk-literal" } }, { key: "sk-literal" });
  check(resolveJudgeKey, { change: {}, variables: CLAUDE }, {
    ...{ key: "from-anthropic", variable: "ANTHROPIC_API_KEY" },
  });
  // What there is to say was said of the model's key.
  check(
    resolveJudgeKey,
    { change: { model: "acme/x" }, variables: { ACME_API_KEY: "key-value" } },
    {
      ...{ key: "key-value", variable: "ACME_API_KEY" },
    },
  );
});

Deno.test("resolveJudgeKey() is the provider's key where a model is named, even the run's own", () => {
  const change = { model_api_key: "sk-literal", rubric_judge_model: CONFIG.model };
  const expected = { key: "from-anthropic", variable: "ANTHROPIC_API_KEY" };
  check(resolveJudgeKey, { change, variables: CLAUDE }, expected);
  check(resolveJudgeKey, { change }, { key: null, variable: "ANTHROPIC_API_KEY" });
  check(resolveJudgeKey, { change, proxied: true }, {
    ...{ key: "model_api_key", variable: "ANTHROPIC_API_KEY" },
  });
  check(resolveJudgeKey, {
    change: { rubric_judge_model: "acme/x" },
    variables: { ACME_API_KEY: "key-value" },
  }, { key: "key-value", variable: "ACME_API_KEY", warning: "a guess" });
});

Deno.test("resolveJudgeKey() takes what the config says, and warns a script of one that is missing", () => {
  check(resolveJudgeKey, { change: { rubric_judge_api_key: "sk-judge" }, variables: CLAUDE }, {
    key: "sk-judge",
  });
  const named = { rubric_judge_api_key: "$JUDGE_KEY" };
  check(resolveJudgeKey, { change: named, variables: { JUDGE_KEY: "key-value" } }, {
    ...{ key: "key-value", variable: "JUDGE_KEY" },
  });
  check(resolveJudgeKey, { change: { ...named, use_fake_model: true }, variables: CLAUDE }, {
    ...{ key: null, variable: "JUDGE_KEY" },
    warning: "JUDGE_KEY, which rubric_judge_api_key names, is not set",
  });
});

Deno.test("resolveJudgeKey() has no key without a model to judge, unless one is configured", () => {
  for (const change of [{ use_fake_model: true }, { model: "pt/x" }]) {
    check(resolveJudgeKey, { change, variables: CLAUDE }, { key: null });
    const named = { ...change, rubric_judge_api_key: "$JUDGE_KEY" };
    check(resolveJudgeKey, { change: named, variables: { JUDGE_KEY: "key-value" } }, {
      ...{ key: "key-value", variable: "JUDGE_KEY" },
    });
  }
});

Deno.test("resolveJudgeKey() leaves a key that nobody named to the judge that needs it", () => {
  check(resolveJudgeKey, { change: {} }, { key: null, variable: "ANTHROPIC_API_KEY" });
  check(resolveJudgeKey, { change: { rubric_judge_api_key: "$" }, prepareOnly: true }, {
    key: null,
    warning: 'what stands after the "$"',
  });
  check(resolveJudgeKey, { change: { rubric_judge_model: "vertex_ai/x" } }, { key: null });
});

Deno.test("keyVariablesOf() names every variable that a key is read from", () => {
  const rows: [change: Change, names: string[]][] = [
    [{}, ["ANTHROPIC_API_KEY"]],
    [{ model_api_key: "sk-literal" }, []],
    [{ model_api_key: "$MY_KEY" }, ["MY_KEY"]],
    [{ use_fake_model: true }, []],
    [{ use_fake_model: true, model_api_key: "$MY_KEY" }, ["MY_KEY"]],
    [{ rubric_judge_model: "openai/gpt-5.5" }, ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]],
    [{ rubric_judge_api_key: "$JUDGE_KEY" }, ["ANTHROPIC_API_KEY", "JUDGE_KEY"]],
    [{ rubric_judge_api_key: "sk-judge" }, ["ANTHROPIC_API_KEY"]],
    [{ model: "acme/x", rubric_judge_model: "pt/x" }, ["ACME_API_KEY"]],
  ];
  for (const [change, names] of rows) {
    assertEquals([change, keyVariablesOf({ ...CONFIG, ...change })], [change, names]);
  }
});

Deno.test("literalKeyWarning() names the variable that the key should stand in", () => {
  assertEquals(literalKeyWarning("$MY_KEY", CONFIG.model), undefined);
  const warning = literalKeyWarning("sk-literal", CONFIG.model) ?? "";
  assertEquals(warning.includes("--model-api-key '$ANTHROPIC_API_KEY'"), true);
  assertEquals(warning.includes("sk-literal"), false);
});

Deno.test("a key that no header takes is never sent, and never shown", () => {
  for (
    const key of ["sk-0123456789\n", " sk-0123456789", "sk-01234 56789", "sk-0123456789é", "\t"]
  ) {
    const variables = { ANTHROPIC_API_KEY: key };
    for (const proxied of [false, true]) {
      for (const change of [{}, { model_api_key: key }]) {
        const error = assertThrows(
          () => resolve(resolveModelKey, { change, variables, proxied }),
          KarotteError,
          `_${"model_api_key" in change ? "api_key" : "API_KEY"} holds a space, a line break or`,
        );
        assertEquals([error.code, error.message.includes("0123")], ["usage", false]);
        assertEquals(resolve(resolveJudgeKey, { change, variables, proxied }).key, null);
      }
      const judged = { rubric_judge_model: "openai/gpt-5", rubric_judge_api_key: key };
      const found = resolve(resolveJudgeKey, { change: judged, variables, proxied });
      assertEquals([found.key, found.warnings.length], [null, 1]);
    }
  }
});

Deno.test("a key that is too short to be taken out of texts is warned of", () => {
  const variables = { ANTHROPIC_API_KEY: "12345" };
  const warning = "the key in ANTHROPIC_API_KEY is shorter than 6 characters or a word";
  check(resolveModelKey, { change: {}, variables }, {
    key: "12345",
    variable: "ANTHROPIC_API_KEY",
    warning,
  });
  check(resolveModelKey, { change: { model_api_key: "content" } }, {
    key: "content",
    warning: "the key in model_api_key is shorter",
  });
  check(resolveModelKey, { change: { model_api_key: "abc" } }, {
    key: "abc",
    warning: "the key in model_api_key is shorter than 6 characters or a word",
  });
});
