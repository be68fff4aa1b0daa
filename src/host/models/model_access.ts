import { type Clock, skippingClock, systemClock } from "../../base/clock.ts";
import { KarotteError } from "../../base/errors.ts";
import type { ExchangeCaller } from "../../models/recording/exchange.ts";
import { Gates } from "../../models/gate.ts";
import { modelFetch } from "../../models/model_fetch.ts";
import { giveToInvokingUser } from "../../records/invoking_user.ts";

/** How a command reaches models: its keys, its proxy, its recording. */
export interface ModelAccess {
  /**
   * The proxy that all calls go through; undefined: each goes to its provider. In a replay the
   * recorded one, which is not called.
   */
  readonly proxyUrl: string | undefined;
  /** True: answers come from a recording, so nothing is called and no key is needed. */
  readonly isReplay: boolean;
  readonly gates: Gates;
  readonly clock: Clock;
  /** Returns the `fetch` that the calls of a run's student, or of its judges, go through. */
  fetchFor(caller: ExchangeCaller): typeof fetch;
  /** Reads a variable of this process as it was when the command began. */
  readonly readVariable: (name: string) => string | undefined;
  /** Takes variables out of this process: processes that it starts later do not inherit them. */
  forget(names: readonly string[]): void;
}

export interface ModelAccessOptions {
  readonly proxyUrl: string | undefined;
  /** The path of a file that is made and keeps every exchange. */
  readonly record?: string | undefined;
  /** The path of such a file, from which all calls are answered. */
  readonly replay?: string | undefined;
}

/**
 * Opens the access to models that a command has until it is disposed, and takes variables that hold
 * keys out of this process. Throws a usage error for a file or certificates that can't be used.
 */
export async function openModelAccess(
  { proxyUrl, record, replay }: ModelAccessOptions,
): Promise<ModelAccess & AsyncDisposable> {
  if (record !== undefined && replay !== undefined) {
    throw new KarotteError("usage", "Cannot use --record and --replay: one or the other");
  }
  const variables = { readVariable: variablesOfNow(), forget };
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

/** Matches the usual names of variables that hold keys of models. */
const KEY_NAME = /_API_KEY$/i;

function variablesOfNow(): ModelAccess["readVariable"] {
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
): Promise<Omit<ModelAccess, "readVariable" | "forget"> & AsyncDisposable> {
  const { ExchangeReplay } = await import("../../models/recording/exchange_replay.ts");
  const { replayingFetch } = await import("../../models/recording/replaying_fetch.ts");
  const replay = await ExchangeReplay.open(path);
  // The waits of the recorded run are skipped.
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
