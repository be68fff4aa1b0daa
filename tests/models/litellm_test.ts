import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type FailureKind, ModelFailure } from "../../src/protocol/model_failure.ts";
import { modelFetch } from "../../src/models/model_fetch.ts";
import { openModel } from "../../src/models/open_model.ts";
import type { Turn } from "../../src/protocol/turn.ts";
import { type LitellmModel, litellmServer } from "./litellm_server.ts";
import { callsOf, request, result, system, user } from "./wire/asking.ts";
import type { ScriptedTurn } from "./wire/script.ts";
import { wireServer } from "./wire/server.ts";

/** Answers that litellm makes up: no server is behind it. */
const MOCKS: readonly LitellmModel[] = [
  mock("text", "Hello from the mock."),
  mock("busy", "litellm.RateLimitError"),
  mock("long", "litellm.ContextWindowExceededError"),
  mock("broken", "litellm.InternalServerError"),
];

function mock(name: string, answer: string): LitellmModel {
  return { name, parameters: { model: "openai/gpt-5", mock_response: answer } };
}

/** One for each API that a proxy is called by: chat completions, Messages and Responses. */
const IDS = ["deepseek/deepseek-chat", "anthropic/claude-opus-4-8", "openai/gpt-5.5"];

/** litellm passes these on to the server of our tests. */
function passedOn(url: string): LitellmModel[] {
  return IDS.map((id) => ({
    name: id.slice(id.indexOf("/") + 1),
    parameters: { model: id, api_base: id.startsWith("anthropic/") ? url : `${url}/v1` },
  }));
}

Deno.test({
  name: Deno.env.get("KAROTTE_LITELLM") === "1"
    ? "litellm's proxy"
    : "litellm's proxy (ignored: KAROTTE_LITELLM is not 1)",
  ignore: Deno.env.get("KAROTTE_LITELLM") !== "1",
  // One proxy for all: it takes ten seconds to start.
  async fn(test) {
    let script: ScriptedTurn[] = [];
    await using upstream = wireServer(() => script.shift() ?? { text: "the script is over" });
    await using proxy = await litellmServer([...MOCKS, ...passedOn(upstream.url)]);
    using fetched = modelFetch();
    const open = (id: string) =>
      openModel(id, { apiKey: proxy.apiKey, proxyUrl: proxy.url, fetch: fetched });
    const ask = async (id: string): Promise<Turn> =>
      await (await open(id)).ask(request([system("Be brief."), user("go")]));

    await test.step("answers in text", async () => {
      const turn = await ask("litellm/text");
      assertEquals(turn.message.content, "Hello from the mock.");
      assertEquals(turn.finish_reason, "stop");
      assert((turn.usage?.input_tokens ?? 0) > 0);
    });

    const failures: readonly (readonly [string, FailureKind, number])[] = [
      ["busy", "rate_limit", 429],
      ["long", "context_length", 400],
      ["broken", "provider", 500],
      ["nowhere", "request", 400],
    ];
    for (const [name, kind, status] of failures) {
      await test.step(`fails by ${kind}`, async () => {
        const failure = await assertRejects(() => ask(`litellm/${name}`), ModelFailure);
        assertEquals([failure.kind, failure.status], [kind, status]);
        assertStringIncludes(failure.message, `litellm/${name}: ${status}: `);
      });
    }

    for (const id of IDS) {
      await test.step(`passes on the calls of ${id}, and what came of them`, async () => {
        const model = await open(id);
        script = [
          {
            text: "I look.",
            toolCalls: ["ls", "pwd"].map((command) => ({
              name: "bash",
              arguments: JSON.stringify({ command }),
            })),
          },
          { text: "Grüße, 世界" },
        ];
        const begin = [system("Be brief."), user("go")];
        const turn = await model.ask(request(begin));
        assertEquals(turn.message.content, "I look.");
        assertEquals(turn.finish_reason, "tool_calls");
        assertEquals(callsOf(turn).map(([name, args]) => [name, JSON.parse(args)]), [
          ["bash", { command: "ls" }],
          ["bash", { command: "pwd" }],
        ]);
        const results = (turn.message.tool_calls ?? []).map(({ id }) => result(id, `of ${id}`));
        const next = await model.ask(request([...begin, turn.message, ...results]));
        assertEquals([next.message.content, next.finish_reason], ["Grüße, 世界", "stop"]);
      });

      await test.step(`passes on the failures of ${id}`, async () => {
        script = [{ fault: { kind: "status", status: 429, headers: { "retry-after": "7" } } }];
        assertEquals((await assertRejects(() => ask(id), ModelFailure)).kind, "rate_limit");
        script = [{ fault: { kind: "status", status: 500 } }];
        assertEquals((await assertRejects(() => ask(id), ModelFailure)).kind, "provider");
        script = [{ text: "Half a turn.", fault: { kind: "break_off", afterEvents: 3 } }];
        const failure = await assertRejects(() => ask(id), ModelFailure);
        assert(["provider", "connection"].includes(failure.kind), failure.message);
      });
    }
  },
});
