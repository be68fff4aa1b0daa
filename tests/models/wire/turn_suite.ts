import { assert, assertEquals, assertRejects } from "@std/assert";
import { ModelFailure } from "../../../src/protocol/model_failure.ts";
import type { Turn } from "../../../src/protocol/turn.ts";
import {
  assistant,
  call,
  callsOf,
  image,
  modelAt,
  PNG,
  request,
  result,
  system,
  user,
} from "./asking.ts";
import type { ScriptedTurn } from "./script.ts";
import { type WireServer, wireServer } from "./server.ts";

export interface TurnSuiteOptions {
  /** A model that is called in this format. */
  readonly id: string;
  /** Why a turn without text for the user ended; absent: `content_filter`. */
  readonly filtered?: string;
  /** Whether the format tells what is written to caches. */
  readonly tellsCacheWrites?: boolean;
  /** Checks in the body of the second request that the first turn's reasoning went back. */
  // deno-lint-ignore no-explicit-any -- bodies have many shapes.
  readonly reasoningIsBack: (body: any) => void;
}

/** What holds for a model in any format. */
export function testTurns(format: string, options: TurnSuiteOptions): void {
  const { id } = options;
  const test = (what: string, body: () => Promise<void>) => Deno.test(`${format}: ${what}`, body);

  test("a text, in chunks that end within characters", async () => {
    const text = "Grüße, 世界 👋🏽!";
    const turn = await first(id, { text, pieceLength: 3 }, { chunkBytes: 7 });
    assertEquals(turn.message.content, text);
    assertEquals(turn.message.tool_calls, null);
    assertEquals(turn.message.role, "assistant");
    assertEquals(turn.finish_reason, "stop");
    assertEquals(turn.usage?.input_tokens, 100);
    assertEquals(turn.usage?.output_tokens, 20);
    assertEquals(turn.usage?.estimated, false);
  });

  test("a call, and the answer to it", async () => {
    await using server = wireServer([
      { toolCalls: [{ name: "bash", arguments: '{"command":"echo hi"}' }] },
      { text: "It says hi." },
    ]);
    const model = await modelAt(server, id);
    const begin = [system("Be brief."), user("Say hi.")];
    const turn = await model.ask(request(begin));
    assertEquals(turn.message.content, null);
    assertEquals(turn.finish_reason, "tool_calls");
    assertEquals(callsOf(turn), [["bash", '{"command":"echo hi"}']]);
    const [callId = ""] = callIdsOf(turn);
    const next = await model.ask(request([...begin, turn.message, result(callId, "hi\n")]));
    assertEquals(next.message.content, "It says hi.");
  });

  test("parallel calls keep their order", async () => {
    const calls = ["a", "b", "c"].map((command) => ({
      name: "bash",
      arguments: JSON.stringify({ command }),
    }));
    await using server = wireServer([{ text: "Three.", toolCalls: calls }, { text: "done" }]);
    const model = await modelAt(server, id);
    const turn = await model.ask(request([user("go")]));
    assertEquals(callsOf(turn).map(([, args]) => args), calls.map(({ arguments: args }) => args));
    const ids = callIdsOf(turn);
    assertEquals(new Set(ids).size, 3);
    // The results come in another order, and with a message of the user's between them.
    const results = ids.toReversed().map((id) => result(id, `of ${id}`));
    results.splice(1, 0, user("hurry"));
    await model.ask(request([user("go"), turn.message, ...results]));
  });

  test("reasoning is kept, and goes back", async () => {
    await using server = wireServer([
      {
        reasoning: "I look first.",
        text: "Looking.",
        toolCalls: [{ name: "bash", arguments: '{"command":"ls"}' }],
      },
      { text: "done" },
    ]);
    const model = await modelAt(server, id);
    const turn = await model.ask(request([user("go")]));
    assertEquals(turn.message.reasoning_content, "I look first.");
    assertEquals(turn.message.content, "Looking.");
    // As the transcript keeps it.
    const message = JSON.parse(JSON.stringify(turn.message));
    const [callId = ""] = callIdsOf(turn);
    await model.ask(request([user("go"), message, result(callId, "x")]));
    options.reasoningIsBack(server.requests[1]?.body);
  });

  test("a turn of reasoning alone is not sent back", async () => {
    await using server = wireServer([{ reasoning: "Hm.", finish: "length" }, { text: "done" }]);
    const model = await modelAt(server, id);
    const turn = await model.ask(request([user("go")]));
    assertEquals(turn.finish_reason, "length");
    assertEquals(turn.message.content, null);
    await model.ask(request([user("go"), turn.message, user("go on")]));
  });

  test("what was read from a cache and written to it", async () => {
    const usage = { input: 10, cacheRead: 300, cacheWrite: 40, output: 25, reasoning: 5 };
    const turn = await first(id, { text: "x", usage });
    assertEquals(turn.usage?.input_tokens, 350);
    assertEquals(turn.usage?.output_tokens, 25);
    assertEquals(turn.usage?.cache_read_tokens, 300);
    assertEquals(turn.usage?.cache_write_tokens, options.tellsCacheWrites ? 40 : null);
  });

  test("no usage is not zero", async () => {
    assertEquals((await first(id, { text: "x", usage: null })).usage, null);
  });

  test("images of tool results are seen", async () => {
    await using server = wireServer([{ text: "A pixel." }]);
    const model = await modelAt(server, id);
    const calls = [call("c1", "shot"), call("c2", "ls")];
    await model.ask(request([
      user("go"),
      assistant({ tool_calls: calls }),
      result("c1", [image()]),
      result("c2", ""),
    ]));
    assertEquals(JSON.stringify(server.requests[0]?.body).split(PNG).length, 2);
  });

  test("images of the user's, and none of a wrong type", async () => {
    await using server = wireServer([{ text: "A pixel." }]);
    const model = await modelAt(server, id);
    const content = [image(btoa("<svg/>")), image(), image("")];
    await model.ask(request([{ ...user(""), content }]));
    const body = JSON.stringify(server.requests[0]?.body);
    assertEquals(body.split(PNG).length, 2);
    assert(!body.includes(btoa("<svg/>")));
  });

  test("a turn that was filtered, and one that was cut off", async () => {
    const filtered = await first(id, { text: "I", finish: "content_filter" });
    assertEquals(filtered.finish_reason, options.filtered ?? "content_filter");
    const cut = await first(id, { text: "I w", finish: "length" });
    assertEquals([cut.finish_reason, cut.message.content], ["length", "I w"]);
  });

  test("history that no provider takes is mended", async () => {
    await using server = wireServer([{ text: "done" }]);
    const model = await modelAt(server, id);
    await model.ask(request([
      system(" \n"),
      user(""),
      assistant({ content: "" }),
      user("\n"),
      assistant({
        content: "  ",
        tool_calls: [
          call("functions.bash:0", "ls"),
          { ...call("", ""), function: { name: "my tool!", arguments: "[1]" } },
          { ...call("c3", ""), function: { name: null, arguments: "{cut" } },
          { ...call("c4", ""), function: { name: "bash", arguments: "" } },
          {
            ...call("c5", ""),
            function: { name: "bash", arguments: '{"__proto__":{"a":"\\ud800"}}' },
          },
        ],
      }),
      result("functions.bash:0", " "),
      result("nobody", "asked for this"),
    ]));
  });

  test("a stream that is not whole is no turn", async () => {
    const faults = [
      { kind: "empty" },
      { kind: "end_early", afterEvents: 3 },
      { kind: "break_off", afterEvents: 3 },
      { kind: "error_event", afterEvents: 3 },
      { kind: "invalid_json", afterEvents: 3 },
    ] as const;
    for (const fault of faults) {
      const asked = first(id, { text: "Some words of a turn.", fault });
      const failure = await assertRejects(() => asked, ModelFailure);
      assert(
        ["provider", "connection", "rate_limit", "malformed"].includes(failure.kind),
        `${fault.kind}: ${failure.kind}: ${failure.message}`,
      );
    }
  });

  test("a call that is given up ends with the signal's reason", async () => {
    const reason = new Error("enough");
    const aborting = new AbortController();
    await using server = wireServer(() => {
      aborting.abort(reason);
      return { text: "x", fault: { kind: "hang", afterEvents: 1 } };
    });
    const model = await modelAt(server, id);
    const asked = model.ask(request([user("go")], { signal: aborting.signal }));
    assertEquals(await assertRejects(() => asked), reason);
  });
}

async function first(
  id: string,
  turn: ScriptedTurn,
  options: { chunkBytes?: number } = {},
): Promise<Turn> {
  await using server: WireServer = wireServer([turn], options);
  const model = await modelAt(server, id);
  return await model.ask(request([user("go")]));
}

function callIdsOf(turn: Turn): string[] {
  return (turn.message.tool_calls ?? []).map(({ id }) => id);
}
