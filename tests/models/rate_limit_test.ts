import { assert, assertEquals } from "@std/assert";
import { ModelFailure } from "../../src/protocol/model_failure.ts";
import { Gate } from "../../src/models/gate.ts";
import type { Model } from "../../src/models/model.ts";
import { retrying } from "../../src/models/retrying.ts";
import type { Turn } from "../../src/protocol/turn.ts";
import { TokenBucket } from "./token_bucket.ts";
import { VirtualClock } from "../support/virtual_clock.ts";
import { assistant, request } from "./wire/asking.ts";

interface Load {
  readonly callers: number;
  /** Of each caller. */
  readonly calls: number;
  /** What the provider takes: calls per second, and how many at once. */
  readonly rate: number;
  readonly size: number;
  /** How long a call takes. */
  readonly seconds: number;
  readonly tellsWait: boolean;
}

/** Time that it takes, against the best that the provider's limit permits. */
async function ratioOf(load: Load): Promise<number> {
  const clock = new VirtualClock();
  const bucket = new TokenBucket({ rate: load.rate, size: load.size, now: () => clock.now() });
  const never = new AbortController().signal;
  const model: Model = {
    id: "x/y",
    async ask(): Promise<Turn> {
      const wait = bucket.take();
      await clock.sleep(wait === undefined ? load.seconds * 1000 : 20, never);
      if (wait === undefined) return TURN;
      const retryAfterMs = load.tellsWait ? Math.ceil(wait / 1000) * 1000 : undefined;
      throw new ModelFailure("x/y: 429", { kind: "rate_limit", retryAfterMs });
    },
  };
  let chance = 0;
  const random = () => chance = (chance + 0.618) % 1;
  const patient = retrying(model, { gate: new Gate({ clock }), onRetry: () => {}, clock, random });
  const callers = Array.from({ length: load.callers }, async () => {
    for (let call = 0; call < load.calls; call++) {
      assertEquals(await patient.ask(request([], { signal: never })), TURN);
    }
  });
  await clock.run(Promise.all(callers));
  const all = load.callers * load.calls;
  const ideal = Math.max(
    (all - load.size) / load.rate + load.seconds,
    load.calls * load.seconds,
  );
  return clock.now() / 1000 / ideal;
}

const LOADS: readonly Omit<Load, "tellsWait">[] = [
  // Half of what they would send; the second is a free account's five calls a minute.
  { callers: 8, calls: 30, rate: 0.4, size: 4, seconds: 10 },
  { callers: 8, calls: 20, rate: 5 / 60, size: 5, seconds: 10 },
  { callers: 8, calls: 60, rate: 20, size: 20, seconds: 0.2 },
  { callers: 50, calls: 10, rate: 2, size: 10, seconds: 10 },
  // All that they send is taken.
  { callers: 8, calls: 30, rate: 2, size: 8, seconds: 10 },
];

for (const load of LOADS) {
  for (const tellsWait of [true, false]) {
    const { callers, rate, seconds } = load;
    const told = tellsWait ? "told" : "not told";
    Deno.test(`${callers} callers of ${seconds} s share ${rate.toFixed(2)} calls a second, ${told} how long to wait`, async () => {
      const ratio = await ratioOf({ ...load, tellsWait });
      assert(ratio <= 1.3, `${ratio} times the ideal`);
    });
  }
}

Deno.test("a provider that refuses half of all calls, at any rate, is not made slower still", async () => {
  const clock = new VirtualClock();
  const never = new AbortController().signal;
  const [callers, calls, seconds, waitSeconds] = [8, 40, 2, 1];
  let seed = 1;
  const isRefused = () => (seed = (seed * 48_271) % 0x7fffffff) % 2 === 0;
  const model: Model = {
    id: "x/y",
    async ask(): Promise<Turn> {
      if (isRefused()) {
        await clock.sleep(20, never);
        const retryAfterMs = waitSeconds * 1000;
        throw new ModelFailure("x/y: 429", { kind: "rate_limit", retryAfterMs });
      }
      await clock.sleep(seconds * 1000, never);
      return TURN;
    },
  };
  const patient = retrying(model, { gate: new Gate({ clock }), onRetry: () => {}, clock });
  await clock.run(Promise.all(Array.from({ length: callers }, async () => {
    for (let call = 0; call < calls; call++) await patient.ask(request([], { signal: never }));
  })));
  // Each call is refused once on average.
  const ratio = clock.now() / 1000 / (calls * (seconds + waitSeconds));
  assert(ratio <= 1.3, `${ratio} times the ideal`);
});

const TURN: Turn = {
  message: assistant({ content: "done" }),
  finish_reason: "stop",
  usage: null,
};
