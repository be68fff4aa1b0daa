import { assert, assertEquals, assertRejects } from "@std/assert";
import { VirtualClock } from "../../tests/support/virtual_clock.ts";
import { type Admission, Gate, Gates } from "./gate.ts";

const never = new AbortController().signal;

/** When each of so many callers that come together goes through, in seconds from now. */
async function timesOf(gate: Gate, clock: VirtualClock, callers: number): Promise<number[]> {
  const start = clock.now();
  const entering = Array.from({ length: callers }, async () => {
    await gate.enter(never);
    return (clock.now() - start) / 1000;
  });
  return await clock.run(Promise.all(entering));
}

async function entered(gate: Gate, clock: VirtualClock): Promise<Admission> {
  return await clock.run(gate.enter(never));
}

Deno.test("Gate lets all through at once until a call is refused", async () => {
  const clock = new VirtualClock();
  assertEquals(await timesOf(new Gate({ clock }), clock, 100), Array(100).fill(0));
});

Deno.test("Gate makes all wait as long as the provider asks, and then no stampede", async () => {
  const clock = new VirtualClock();
  const gate = new Gate({ clock });
  const admission = await entered(gate, clock);
  await timesOf(gate, clock, 7);
  gate.refused(admission, 20_000);
  const times = await timesOf(gate, clock, 8);
  assertEquals(times[0], 20);
  for (const [index, time] of times.entries()) {
    if (index > 0) assert(time - times[index - 1]! > 0.1, `${times}`);
  }
  assert(times.at(-1)! < 25, `${times}`);
});

Deno.test("Gate makes those wait longer who wait already", async () => {
  const clock = new VirtualClock();
  const gate = new Gate({ clock });
  const admission = await entered(gate, clock);
  gate.refused(admission, 10_000);
  const waiting = timesOf(gate, clock, 1);
  gate.refused(admission, 30_000);
  gate.refused(admission, 1000);
  assertEquals(await waiting, [30]);
});

Deno.test("Gate cuts its rate once for calls that were under way together", async () => {
  const spacingAfter = async (refusals: number) => {
    const clock = new VirtualClock();
    const gate = new Gate({ clock });
    const admissions = await clock.run(
      Promise.all(Array.from({ length: 8 }, () => gate.enter(never))),
    );
    // The first refusal takes a moment, as all do.
    await clock.run(clock.sleep(10, never));
    for (const admission of admissions.slice(0, refusals)) gate.refused(admission);
    return (await timesOf(gate, clock, 2)).at(-1);
  };
  assertEquals(await spacingAfter(8), await spacingAfter(1));
});

Deno.test("Gate never stands still, however often calls are refused", async () => {
  const clock = new VirtualClock();
  const gate = new Gate({ clock });
  for (let refusal = 0; refusal < 50; refusal++) {
    gate.refused(await entered(gate, clock));
  }
  const [first = 0, second = Infinity] = await timesOf(gate, clock, 2);
  assert(second - first <= 20, `${first} and ${second}`);
});

Deno.test("Gate is as fast as before some time after the last refusal", async () => {
  const clock = new VirtualClock();
  const gate = new Gate({ clock });
  gate.refused(await entered(gate, clock));
  await timesOf(gate, clock, 100);
  assert((await timesOf(gate, clock, 8)).at(-1)! < 0.1);
});

Deno.test("Gate goes on without those who give up in line, in the order of their coming", async () => {
  const clock = new VirtualClock();
  const gate = new Gate({ clock });
  gate.refused(await entered(gate, clock), 5000);
  const controller = new AbortController();
  const reason = new Error("enough");
  const order: number[] = [];
  const entering = [0, 1, 2, 3].map(async (caller) => {
    await gate.enter(caller % 2 === 0 ? controller.signal : never);
    order.push(caller);
  });
  const settled = Promise.allSettled(entering);
  controller.abort(reason);
  await assertRejects(() => entering[0]!);
  assertEquals(clock.now(), 0);
  const outcomes = (await clock.run(settled)).map(({ status }) => status);
  assertEquals(outcomes, ["rejected", "fulfilled", "rejected", "fulfilled"]);
  assertEquals(order, [1, 3]);
});

Deno.test("Gates has one gate for each provider and base URL", () => {
  const gates = new Gates();
  const gate = gates.of("openai", "http://127.0.0.1:4000");
  assertEquals(gates.of("openai", "http://127.0.0.1:4000") === gate, true);
  assertEquals(gates.of("openai", "") === gate, false);
  assertEquals(gates.of("xai", "http://127.0.0.1:4000") === gate, false);
});
