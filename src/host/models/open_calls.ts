import { type Clock, skippingClock, systemClock } from "../../base/clock.ts";
import { KarotteError } from "../../base/errors.ts";
import type { ExchangeCaller } from "../../models/recording/exchange.ts";
import { Gates } from "../../models/gate.ts";
import { modelFetch } from "../../models/model_fetch.ts";
import { giveToInvokingUser } from "../../records/invoking_user.ts";

/** How a command calls models. */
export interface CallOptions {
  /** In a replay the recorded one, which is not called. */
  readonly proxyUrl: string | undefined;
  /** Nothing is called, and no key is needed: answers come from a recording. */
  readonly isReplay: boolean;
  readonly gates: Gates;
  readonly clock: Clock;
  /** What a call goes through. */
  fetchFor(caller: ExchangeCaller): typeof fetch;
  /** Variables of this process as they were when it was called. */
  readonly env: (name: string) => string | undefined;
  /** Takes variables out of this process: what it starts from now on does not inherit them. */
  forget(names: readonly string[]): void;
}

/** What a command calls models with, until it is disposed. */
export interface Calls extends CallOptions, AsyncDisposable {}

export interface OpenCallsOptions {
  readonly proxyUrl: string | undefined;
  /** A file to be made that keeps every exchange. */
  readonly record?: string | undefined;
  /** Such a file, to be answered from. */
  readonly replay?: string | undefined;
}

/** Throws a usage error for a file or certificates that can't be used. */
export async function openCalls({ proxyUrl, record, replay }: OpenCallsOptions): Promise<Calls> {
  if (record !== undefined && replay !== undefined) {
    throw new KarotteError("usage", "Cannot use --record and --replay: one or the other");
  }
  const variables = { env: variablesOfNow(), forget };
  if (replay !== undefined) return { ...variables, ...await replayed(replay, proxyUrl) };
  const send = modelFetch();
  const gates = new Gates();
  const common = { proxyUrl, ...variables, isReplay: false, gates, clock: systemClock };
  if (record === undefined) {
    const close = () => Promise.resolve(send[Symbol.dispose]());
    return { ...common, fetchFor: () => send, [Symbol.asyncDispose]: close };
  }
  const { ExchangeLog } = await import("../../models/recording/exchange_log.ts");
  const { recordingFetch } = await import("../../models/recording/recording_fetch.ts");
  const log = await ExchangeLog.create(record);
  await giveToInvokingUser(record);
  return {
    ...common,
    fetchFor: (caller) => recordingFetch(send, { log, caller, proxyUrl }),
    async [Symbol.asyncDispose]() {
      send[Symbol.dispose]();
      await log[Symbol.asyncDispose]();
    },
  };
}

/** What keys of models are called, by those who have not named theirs otherwise. */
const KEY_NAME = /_API_KEY$/i;

function variablesOfNow(): CallOptions["env"] {
  const variables = Deno.env.toObject();
  forget(Object.keys(variables).filter((name) => KEY_NAME.test(name)));
  return (name) => Object.hasOwn(variables, name) ? variables[name] : undefined;
}

function forget(names: readonly string[]): void {
  for (const name of names) Deno.env.delete(name);
}

/** `proxyUrl`: what was asked for now, where the recording doesn't say how it was called. */
async function replayed(
  path: string,
  proxyUrl: string | undefined,
): Promise<Omit<Calls, "env" | "forget">> {
  const { ExchangeReplay } = await import("../../models/recording/exchange_replay.ts");
  const { replayingFetch } = await import("../../models/recording/replaying_fetch.ts");
  const replay = await ExchangeReplay.open(path);
  // What was waited for then is not waited for again.
  const clock = skippingClock();
  return {
    proxyUrl: replay.proxy === undefined ? proxyUrl : replay.proxy ?? undefined,
    isReplay: true,
    gates: new Gates({ clock }),
    clock,
    fetchFor: (caller) => replayingFetch({ replay, caller }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
