import { assert, assertEquals, assertRejects } from "@std/assert";
import { VirtualClock } from "../../tests/support/virtual_clock.ts";
import { assistant, request } from "../../tests/models/wire/asking.ts";
import { KarotteError } from "../base/errors.ts";
import type { Turn } from "../protocol/turn.ts";
import { type FailureKind, ModelFailure } from "../protocol/model_failure.ts";
import { Gate } from "./gate.ts";
import type { Model } from "./model.ts";
import { retrying, type RetryingOptions } from "./retrying.ts";

const TURN: Turn = {
  message: assistant({ content: "done" }),
  finish_reason: "stop",
  usage: null,
};

function failure(kind: FailureKind, options: { retryAfterMs?: number } = {}): ModelFailure {
  return new ModelFailure(`x/y: ${kind}`, { kind, status: 500, ...options });
}

/** Throws what stands in the list, one after the other, then gives a turn. */
class Scripted implements Model {
  readonly id = "x/y";
  calls = 0;
  readonly #errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    this.#errors = errors;
  }

  ask(): Promise<Turn> {
    const error = this.#errors[this.calls++];
    return error === undefined ? Promise.resolve(TURN) : Promise.reject(error);
  }
}

/** What came of it, how often it was tried, when it was over, and what was told. */
async function outcomeOf(
  errors: readonly unknown[],
  options: Partial<RetryingOptions> & { remainingMs?: number } = {},
) {
  const clock = new VirtualClock();
  const told: string[] = [];
  const model = new Scripted(errors);
  const patient = retrying(model, {
    gate: new Gate({ clock }),
    onRetry: (line) => told.push(line),
    clock,
    random: () => 0,
    ...options,
  });
  const { remainingMs } = options;
  const asked = patient.ask(request([], remainingMs === undefined ? {} : { remainingMs }));
  const outcome = await clock.run(asked.catch((error) => error));
  return { outcome, calls: model.calls, seconds: clock.now() / 1000, told };
}

const TRIES: readonly (readonly [FailureKind, number])[] = [
  ["provider", 16],
  ["rate_limit", 16],
  ["timeout", 16],
  ["connection", 16],
  ["unreachable", 4],
  ["authentication", 3],
  ["malformed", 2],
  ["context_length", 1],
  ["request", 1],
];

for (const [kind, tries] of TRIES) {
  Deno.test(`retrying() makes ${tries} calls in all for ${kind}`, async () => {
    const { outcome, calls, told } = await outcomeOf(Array(20).fill(failure(kind)));
    assert(outcome instanceof ModelFailure);
    assertEquals([outcome.kind, outcome.status, calls, told.length], [kind, 500, tries, tries - 1]);
    const note = tries === 1 ? "" : ` (tried ${tries} times)`;
    assertEquals(outcome.message, `x/y: ${kind}${note}`);
  });

  if (tries === 1) continue;
  Deno.test(`retrying() gives the turn of the last of ${tries} calls for ${kind}`, async () => {
    const { outcome, calls } = await outcomeOf(Array(tries - 1).fill(failure(kind)));
    assertEquals([outcome, calls], [TURN, tries]);
  });
}

Deno.test("retrying() counts hosts that can't be reached apart, within the 16 of all", async () => {
  const others = Array(10).fill(failure("connection"));
  const mixed = [...others, ...Array(3).fill(failure("unreachable"))];
  assertEquals((await outcomeOf(mixed)).outcome, TURN);
  const late = [...Array(14).fill(failure("connection")), ...Array(5).fill(failure("unreachable"))];
  assertEquals((await outcomeOf(late)).calls, 16);
});

Deno.test("faults 3.4: retrying() counts answers of another form apart from what may pass", async () => {
  const busy = Array(5).fill(failure("rate_limit"));
  const { calls } = await outcomeOf([...busy, failure("malformed"), ...busy]);
  assertEquals(calls, 12);
  const twice = [...busy, failure("malformed"), ...busy, failure("malformed"), ...busy];
  const { outcome, calls: made } = await outcomeOf(twice);
  assert(outcome instanceof ModelFailure);
  assertEquals([outcome.message, made], ["x/y: malformed (tried 12 times)", 12]);
});

Deno.test("retrying() waits longer each time, up to a minute", async () => {
  const { seconds, told } = await outcomeOf(Array(8).fill(failure("provider")));
  assertEquals(seconds, 1 + 2 + 4 + 8 + 16 + 32 + 60 + 60);
  assertEquals(told[0], "x/y: provider; next try in 1 s (2 of 16)");
  assertEquals(told[7], "x/y: provider; next try in 60 s (9 of 16)");
});

Deno.test("retrying() adds up to half of the wait by chance, within the minute", async () => {
  const random = () => 0.9999999;
  const { seconds, told } = await outcomeOf(Array(7).fill(failure("provider")), { random });
  assert(Math.abs(seconds - (1.5 + 3 + 6 + 12 + 24 + 48 + 60)) < 0.001, `${seconds}`);
  assertEquals(told[0], "x/y: provider; next try in 1.5 s (2 of 16)");
});

Deno.test("retrying() waits as long as the provider asks", async () => {
  const { seconds, told } = await outcomeOf([failure("rate_limit", { retryAfterMs: 90_000 })]);
  assertEquals([seconds, told], [90, ["x/y: rate_limit; next try in 90 s (2 of 16)"]]);
});

Deno.test("retrying() does not hammer a provider that says 0", async () => {
  const { seconds } = await outcomeOf(Array(3).fill(failure("provider", { retryAfterMs: 0 })));
  assertEquals(seconds, 1 + 2 + 4);
});

Deno.test("retrying() begins no wait that would end after the time that is left", async () => {
  const errors = Array(8).fill(failure("provider"));
  const { outcome, calls, seconds } = await outcomeOf(errors, { remainingMs: 6000 });
  assert(outcome instanceof ModelFailure);
  assertEquals(outcome.message, "x/y: provider (no time is left to try again)");
  assertEquals(outcome.kind, "time_over");
  assertEquals([calls, seconds], [3, 3]);
});

Deno.test("retrying() doesn't take a wrong key for a lack of time", async () => {
  const { outcome } = await outcomeOf([failure("authentication")], { remainingMs: 500 });
  assert(outcome instanceof ModelFailure);
  assertEquals(outcome.kind, "authentication");
});

Deno.test("retrying() doesn't wait at the gate longer than the time that is left", async () => {
  const clock = new VirtualClock();
  const gate = new Gate({ clock });
  gate.refused(await gate.enter(new AbortController().signal), 120_000);
  const model = new Scripted([]);
  const patient = retrying(model, { gate, onRetry: () => {}, clock });
  const asked = patient.ask(request([], { remainingMs: 5000 }));
  const error = await assertRejects(() => clock.run(asked), ModelFailure, "asks for fewer calls");
  assertEquals([error.kind, clock.now(), model.calls], ["time_over", 0, 0]);
});

Deno.test("retrying() ends a wait at once when the signal is aborted", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const clock = new VirtualClock();
  const model = new Scripted(Array(9).fill(failure("provider")));
  const onRetry = () => queueMicrotask(() => controller.abort(reason));
  const patient = retrying(model, { gate: new Gate({ clock }), onRetry, clock });
  const asked = patient.ask(request([], { signal: controller.signal }));
  assertEquals(await assertRejects(() => clock.run(asked)), reason);
  assertEquals([clock.now(), model.calls], [0, 1]);
});

Deno.test("retrying() makes no call once the signal is aborted", async () => {
  const reason = new Error("enough");
  const model = new Scripted([]);
  const patient = retrying(model, { gate: new Gate(), onRetry: () => {} });
  const asked = patient.ask(request([], { signal: AbortSignal.abort(reason) }));
  assertEquals(await assertRejects(() => asked), reason);
  assertEquals(model.calls, 0);
});

Deno.test("retrying() throws what is no failure of the model as it comes", async () => {
  const bug = new RangeError("oops");
  const { outcome, calls } = await outcomeOf([bug]);
  assertEquals([outcome, calls], [bug, 1]);
  const ours = new KarotteError("run", 'Cannot replay "x": it differs');
  const wrapped = new ModelFailure("x/y: it differs", { kind: "provider", cause: ours });
  assertEquals((await outcomeOf([wrapped])).outcome, ours);
});
