import { Gate } from "../../src/models/gate.ts";
import { modelFetch } from "../../src/models/model_fetch.ts";
import { openModel } from "../../src/models/open_model.ts";
import { retrying } from "../../src/models/retrying.ts";
import { TokenBucket } from "../../tests/models/token_bucket.ts";
import { request, user } from "../../tests/models/wire/asking.ts";
import type { ScriptedTurn } from "../../tests/models/wire/script.ts";
import { type WireServer, wireServer } from "../../tests/models/wire/server.ts";
import type { Measured } from "./measured.ts";
import { significant } from "./samples.ts";

const CALLERS = 8;
/** Of each caller, one after the other. */
const CALLS = 50;
const CALL_MS = 200;
/** Calls per second that the server takes: half of what the callers would send without a limit. */
const RATE = CALLERS / (CALL_MS / 1000) / 2;
/** How many it takes at once after a rest. */
const BUCKET = RATE;

/**
 * The least that any callers can take who know the limit: what was saved up goes at once, then one
 * call goes whenever the server takes one, and the last is answered.
 */
const IDEAL_MS = (CALLERS * CALLS - BUCKET) / RATE * 1000 + CALL_MS;

/**
 * Runs that share a provider which refuses half of what they would send, by the whole way of a
 * call.
 */
export async function measureRateLimited(signal: AbortSignal): Promise<Measured[]> {
  // At the same time: they hardly need the processor, and have a server and a gate each.
  return await Promise.all([
    measure(true, signal),
    measure(false, signal),
    measureRefusing(signal),
  ]);
}

/** Of each caller, at a provider that refuses calls by chance, whatever their rate. */
const CALLS_BY_CHANCE = 40;
const WAIT_SECONDS = 1;

async function measureRefusing(signal: AbortSignal): Promise<Measured> {
  const [shared, alone] = await Promise.all([
    callByChance(new Gate(), signal),
    // Who is refused waits as it is told, and nobody else does: no caller can do better.
    callByChance({ enter: () => Promise.resolve(ADMITTED), refused: () => {} }, signal),
  ]);
  return {
    what: `${CALLERS} callers at a provider that refuses half of all calls, to the ideal`,
    value: shared / alone,
    unit: "x",
    target: 1.3,
    detail: `${significant(shared / 1000)} s against ${significant(alone / 1000)} s for ` +
      `${CALLERS * CALLS_BY_CHANCE} calls`,
  };
}

const ADMITTED = { at: 0, isRefused: false };

/** Milliseconds until all callers are done. */
async function callByChance(
  gate: Pick<Gate, "enter" | "refused">,
  signal: AbortSignal,
): Promise<number> {
  let seed = 1;
  await using server = wireServer(async () => {
    seed = seed * 48_271 % 0x7fffffff;
    if (seed % 2 === 0) return refusal(WAIT_SECONDS);
    await new Promise((resolve) => setTimeout(resolve, CALL_MS));
    return { text: "done" };
  });
  const start = performance.now();
  await callAll(server, { gate, signal, calls: CALLS_BY_CHANCE });
  return performance.now() - start;
}

async function measure(tellsWait: boolean, signal: AbortSignal): Promise<Measured> {
  const bucket = new TokenBucket({ rate: RATE, size: BUCKET, now: () => performance.now() });
  let refused = 0;
  await using server = wireServer(async () => {
    const wait = bucket.take();
    if (wait === undefined) {
      await new Promise((resolve) => setTimeout(resolve, CALL_MS));
      return { text: "done" };
    }
    refused++;
    return refusal(tellsWait ? Math.ceil(wait / 1000) : undefined);
  });
  const start = performance.now();
  await callAll(server, { gate: new Gate(), signal, calls: CALLS });
  const took = performance.now() - start;
  const told = tellsWait ? "with" : "without";
  return {
    what: `${CALLERS} callers at twice a provider's limit, 429 ${told} retry-after, to the ideal`,
    value: took / IDEAL_MS,
    unit: "x",
    target: 1.3,
    detail: `${significant(took / 1000)} s against ${significant(IDEAL_MS / 1000)} s for ` +
      `${CALLERS * CALLS} calls, ${refused} refused`,
  };
}

function refusal(retryAfterSeconds: number | undefined): ScriptedTurn {
  const headers = retryAfterSeconds === undefined
    ? {}
    : { "retry-after": String(retryAfterSeconds) };
  return { fault: { kind: "status", status: 429, headers } };
}

/** Throws if a call fails for good: all callers must finish. */
async function callAll(
  server: WireServer,
  { gate, signal, calls }: {
    gate: Pick<Gate, "enter" | "refused">;
    signal: AbortSignal;
    calls: number;
  },
): Promise<void> {
  using fetched = modelFetch();
  const id = "anthropic/claude-opus-4-8";
  const model = await openModel(id, { apiKey: "none", proxyUrl: server.url, fetch: fetched });
  const patient = retrying(model, { gate, onRetry: () => {} });
  await Promise.all(Array.from({ length: CALLERS }, async () => {
    for (let call = 0; call < calls; call++) {
      await patient.ask(request([user("go")], { signal }));
    }
  }));
}
