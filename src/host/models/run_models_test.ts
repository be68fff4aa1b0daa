import { assertEquals } from "@std/assert";
// Loaded before time stands still.
import "@ai-sdk/openai-compatible";
import { user } from "../../../tests/models/wire/asking.ts";
import { VirtualClock } from "../../../tests/support/virtual_clock.ts";
import { Gates } from "../../models/gate.ts";
import "../../models/open_model.ts";
import "../../models/retrying.ts";
import "../../models/waiting.ts";
import { Redactor } from "../../records/redactor.ts";
import { runConfigSchema } from "../../schemas/run_config.ts";
import { Conversation } from "./conversation.ts";
import { openRunModels } from "./run_models.ts";

const ANSWER = [
  { choices: [{ delta: { content: "YES" } }] },
  { choices: [{ delta: {}, finish_reason: "stop" }] },
].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");

/** What is told of a turn and of a judge's question whose answers take 40 s. */
async function toldOf(isReplay: boolean): Promise<string[]> {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const told: string[] = [];
  const config = runConfigSchema.parse({ run_id: "r", task_id: "t", model: "acme/x" });
  const models = openRunModels({
    ...{ config, isReplay, clock, judgeModels: [], judgeKeys: [], proxyUrl: "http://model.test" },
    gates: new Gates({ clock }),
    fetchFor: () => async () => {
      await clock.sleep(40_000, signal);
      return new Response(ANSWER, { headers: { "content-type": "text/event-stream" } });
    },
    readVariable: () => undefined,
    forget: () => {},
    warn: () => {},
  });
  const conversation = new Conversation();
  const answers = models.forRun({
    ...{ config, conversation, index: 0, redactor: new Redactor([]), turnLimit: null },
    told: (line) => told.push(line),
    external: () => undefined,
    record: () => Promise.resolve(),
  });
  const event = { timestamp: "", type: "message_added", finish_reason: null, raw: null } as const;
  conversation.add({ ...event, message: user("go") });
  const turn = await clock.run(answers.nextTurn({ signal, remainingMs: null }));
  assertEquals(turn.message.content, "YES");
  const answer = await clock.run(answers.askJudge({ prompt: "?" }, signal));
  assertEquals(answer.text, "YES");
  return told;
}

Deno.test("faults 3.8: the student's calls and the judges' are told of while they wait", async () => {
  assertEquals(await toldOf(false), [
    "waiting for the model 15 s, 0 kB so far",
    "waiting for the model 30 s, 0 kB so far",
    "waiting for the judge's model 15 s, 0 kB so far",
    "waiting for the judge's model 30 s, 0 kB so far",
  ]);
});

Deno.test("faults 3.8: a replay waits for nobody", async () => {
  assertEquals(await toldOf(true), []);
});
