import { assertEquals, assertRejects } from "@std/assert";
import { assistant, request } from "../../tests/models/wire/asking.ts";
import { VirtualClock } from "../../tests/support/virtual_clock.ts";
import type { Turn } from "../protocol/turn.ts";
import type { Model } from "./model.ts";
import { countedFetch, tellingWaits } from "./waiting.ts";

const TURN: Turn = { message: assistant({ content: "done" }), finish_reason: "stop", usage: null };

/** A model that takes so long, and whose answer comes in a chunk each of so many seconds. */
function slowModel(clock: VirtualClock, { seconds, chunk }: { seconds: number; chunk: number }) {
  const never = new AbortController().signal;
  const fetched = countedFetch(() => {
    let left = seconds / chunk;
    return Promise.resolve(
      new Response(
        new ReadableStream({
          async pull(controller) {
            await clock.sleep(chunk * 1000, never);
            if (--left < 0) controller.close();
            else controller.enqueue(new Uint8Array(4_000));
          },
        }, { highWaterMark: 0 }),
      ),
    );
  });
  return {
    id: "x/y",
    async ask(): Promise<Turn> {
      const response = await fetched("http://model.test");
      for await (const _ of response.body!) { /* it comes slowly */ }
      return TURN;
    },
  };
}

Deno.test("faults 3.8: a call that waits is told of every 15 s, with what came so far", async () => {
  const clock = new VirtualClock();
  const told: string[] = [];
  const options = { clock, told: (line: string) => told.push(line), whom: "the model" };
  const model = tellingWaits(slowModel(clock, { seconds: 49, chunk: 7 }), options);
  assertEquals(await clock.run(model.ask(request([]))), TURN);
  assertEquals(told, [
    "waiting for the model 15 s, 8 kB so far",
    "waiting for the model 30 s, 16 kB so far",
    "waiting for the model 45 s, 24 kB so far",
  ]);
});

Deno.test("faults 3.8: two calls of one model are told of apart", async () => {
  const clock = new VirtualClock();
  const told: string[] = [];
  const options = { clock, told: (line: string) => told.push(line), whom: "the model" };
  const model = tellingWaits(slowModel(clock, { seconds: 20, chunk: 20 }), options);
  const never = new AbortController().signal;
  const late = async () => {
    await clock.sleep(10_000, never);
    return await model.ask(request([]));
  };
  await clock.run(Promise.all([model.ask(request([])), late()]));
  assertEquals(told, [
    "waiting for the model 15 s, 0 kB so far",
    "waiting for the model 15 s, 0 kB so far",
    "waiting for the model 30 s, 4 kB so far",
    "waiting for the model 30 s, 4 kB so far",
  ]);
});

Deno.test("faults 3.8: a call that is short, or fails, says nothing more", async () => {
  const clock = new VirtualClock();
  const told: string[] = [];
  const options = { clock, told: (line: string) => told.push(line), whom: "the model" };
  const failing: Model = { id: "x/y", ask: () => Promise.reject(new Error("no")) };
  await assertRejects(
    () => clock.run(tellingWaits(failing, options).ask(request([]))),
    Error,
    "no",
  );
  const quick = tellingWaits(slowModel(clock, { seconds: 8, chunk: 4 }), options);
  await clock.run(quick.ask(request([])));
  assertEquals(told, []);
});
