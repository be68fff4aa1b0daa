import { KarotteError, messageOf } from "../../base/errors.ts";
import { aborted, within } from "../../base/promises.ts";
import { ChannelError, RpcPeer, type RpcTransport } from "../../base/rpc_peer.ts";
import { VERSION } from "../../base/version.ts";
import {
  type Activity,
  activityParamsSchema,
  type StartParams,
  startResultSchema,
  toolsParamsSchema,
} from "../../protocol/rpc.ts";
import type { ArtifactStore } from "../../records/artifact_store.ts";
import type { Sandbox, SandboxStatus } from "../../runtimes/runtime.ts";
import type { TranscriptEvent } from "../../schemas/transcript.ts";
import type { RunAnswers } from "../models/run_answers.ts";
import type { BundleUpload } from "./bundle_upload.ts";
import { checkedMessage } from "./checked_message.ts";
import { HarnessRequests } from "./harness_requests.ts";
import { Watchdog, WATCHDOG_TIMES, type WatchdogTimes } from "./watchdog.ts";

export interface SessionOptions {
  readonly sandbox: Sandbox;
  readonly start: Omit<StartParams, "version" | "bundle">;
  /** The bundle that replaces the one in the sandbox; absent: that one stays. */
  readonly bundle?: BundleUpload | undefined;
  /** Resolves when the event is on disk. */
  record(event: TranscriptEvent): Promise<void>;
  readonly artifacts: Pick<ArtifactStore, "open">;
  readonly answers: RunAnswers;
  readonly scoringLimitSeconds: number;
  /** The user's interrupt. */
  readonly signal: AbortSignal;
  onActivity?(activity: Activity): void;
  readonly times?: WatchdogTimes;
}

/** An error that is thrown when the sandbox ends before its run. */
export class SandboxDiedError extends Error {
  override readonly name = "SandboxDiedError";
  /** True if it ran into its memory or process limit. */
  readonly exhausted: boolean;
  readonly activity: Activity;

  constructor(message: string, options: { exhausted: boolean; activity: Activity }) {
    super(message);
    this.exhausted = options.exhausted;
    this.activity = options.activity;
  }
}

/** An error that is thrown when the user interrupts the run. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

/** Milliseconds after an interrupt that the harness has to end the run in order. */
const STOP_GRACE_MS = 1_500;
/** Milliseconds that the harness has to leave after its last message or a broken channel. */
const LEAVE_GRACE_MS = 2_000;

/**
 * Talks to the harness of a started sandbox until its run is over and recorded. Throws what ended
 * it before: the caller kills the sandbox and says so in the transcript.
 */
export async function runSession(options: SessionOptions): Promise<void> {
  const { sandbox, artifacts, answers, signal } = options;
  const requests = new HarnessRequests(options);
  const { finished } = requests;
  const peer = new RpcPeer(transportOf(sandbox), {
    requests: requests.handlers,
    notifications: {
      activity: (params) => {
        watchdog.activity = checkedMessage("activity", activityParamsSchema, params);
        options.onActivity?.(watchdog.activity);
      },
      tools: (params) => {
        answers.conversation.tools = checkedMessage("tools", toolsParamsSchema, params).tools;
      },
    },
    openBlob: (about) => artifacts.open(about),
  });
  using watchdog = new Watchdog({
    lastReceivedAt: () => peer.lastReceivedAt,
    ping: () => void peer.request("ping", null).catch(() => {}), // its silence is what counts
    scoringLimitMs: options.scoringLimitSeconds * 1000,
  }, options.times ?? WATCHDOG_TIMES);
  const ended = Promise.withResolvers<undefined>();
  using cleanUp = new DisposableStack();
  cleanUp.defer(() => ended.resolve(undefined));
  const over = Promise.race([finished.catch(() => {}), ended.promise]);
  const interrupted = interruption(peer, over, signal);
  interrupted.catch(() => {}); // if it loses the race it has nothing more to say
  const died = sandboxDied(sandbox, peer, { watchdog, ended: ended.promise });
  died.catch(() => {});
  const completed = start(peer, options).then(() => finished, (error) => {
    // The end of the sandbox tells why the channel broke.
    if (error instanceof ChannelError) return died;
    throw error;
  });
  await Promise.race([
    completed,
    died,
    watchdog.stuck,
    interrupted,
  ]);
  if (signal.aborted) throw new InterruptedError(messageOf(signal.reason));
  await within(sandbox.status, LEAVE_GRACE_MS, undefined);
  await peer.close();
}

async function start(peer: RpcPeer, { start, bundle }: SessionOptions): Promise<void> {
  const params: StartParams = { ...start, version: VERSION, bundle: bundle?.announcement };
  const answer = await peer.request("start", params);
  const { version } = checkedMessage("start", startResultSchema, answer);
  if (version !== VERSION) {
    throw new KarotteError(
      "runtime",
      `Cannot use the sandbox: its Karotte is ${version}, this one is ${VERSION}`,
      { hint: "build the image again" },
    );
  }
  await bundle?.send(peer);
}

/** Rejects when the sandbox or its channel ends; a process tells more of it than a channel. */
async function sandboxDied(
  sandbox: Sandbox,
  peer: RpcPeer,
  { watchdog, ended }: { watchdog: Watchdog; ended: Promise<undefined> },
): Promise<never> {
  let broken: unknown;
  await Promise.race([sandbox.status, peer.closed.catch((error) => broken = error)]);
  // A message that breaks the rules is told as such; a torn last line belongs to a death.
  const isLost = broken instanceof ChannelError && broken.kind === "lost";
  if (broken !== undefined && !isLost) throw broken;
  const status = await within(
    Promise.race([sandbox.status, ended]),
    LEAVE_GRACE_MS,
    undefined,
  );
  throw new SandboxDiedError(deathMessage(status, watchdog.activity), {
    exhausted: status?.exhausted ?? false,
    activity: watchdog.activity,
  });
}

function deathMessage(status: SandboxStatus | undefined, activity: Activity): string {
  const cause = status === undefined
    ? "it closed the channel"
    : status.exhausted
    ? "it ran into its memory or process limit"
    : status.cause !== undefined
    ? status.cause
    : `its harness ended with status ${status.code}`;
  return `The sandbox died while it ran ${activity.name}: ${cause}`;
}

/** Asks the harness to stop on an interrupt; rejects after its grace, or when it is done. */
async function interruption(
  peer: RpcPeer,
  over: Promise<void>,
  signal: AbortSignal,
): Promise<never> {
  await aborted(signal);
  const reason = messageOf(signal.reason);
  // A channel that broke meanwhile ends the race by itself.
  peer.notify("stop", { reason }).catch(() => {});
  await within(over, STOP_GRACE_MS, undefined);
  throw new InterruptedError(reason);
}

function transportOf(sandbox: Sandbox): RpcTransport {
  const reader = sandbox.stdout.getReader();
  const writer = sandbox.stdin.getWriter();
  return {
    read: async () => (await reader.read()).value ?? null,
    write: (bytes) => writer.write(bytes),
    close: () => writer.close().catch(() => {}), // a dead sandbox has closed it already
  };
}
