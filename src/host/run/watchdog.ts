import type { Activity } from "../../protocol/rpc.ts";

/** The times by which a watchdog judges. */
export interface WatchdogTimes {
  /** Milliseconds between two looks. */
  readonly intervalMs: number;
  /** Milliseconds between two pings. */
  readonly pingMs: number;
  /** Milliseconds without a line from the sandbox after which it is ended. */
  readonly silenceMs: number;
  /** Milliseconds that scoring may take beyond its limit: the harness ends it first if it can. */
  readonly scoringGraceMs: number;
}

export const WATCHDOG_TIMES: WatchdogTimes = {
  intervalMs: 1_000,
  pingMs: 5_000,
  silenceMs: 60_000,
  scoringGraceMs: 5_000,
};

/** An error that is thrown when the sandbox no longer answers, or runs something past its limit. */
export class SandboxStuckError extends Error {
  override readonly name = "SandboxStuckError";
}

/** The sandbox as its watchdog sees it. */
export interface Watched {
  /** Returns when its last line came, on the clock of `performance.now()`. */
  lastReceivedAt(): number;
  /** Asks it for a sign of life. */
  ping(): void;
  readonly scoringLimitMs: number;
}

/** Notices what the harness can't notice itself: code that never gives the thread back. */
export class Watchdog implements Disposable {
  readonly #watched: Watched;
  readonly #times: WatchdogTimes;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #stuck = Promise.withResolvers<never>();
  #activity: Activity = { name: "starting the harness", kind: "setup" };
  #scoringSince: number | undefined;
  #pingedAt = performance.now();

  constructor(watched: Watched, times = WATCHDOG_TIMES) {
    this.#watched = watched;
    this.#times = times;
    this.#stuck.promise.catch(() => {}); // seen by whoever races it
    this.#timer = setInterval(() => this.#look(), times.intervalMs);
  }

  /** Rejects with a `SandboxStuckError`; never resolves. */
  get stuck(): Promise<never> {
    return this.#stuck.promise;
  }

  get activity(): Activity {
    return this.#activity;
  }

  set activity(activity: Activity) {
    this.#activity = activity;
    if (activity.kind === "artifact") return; // part of what goes on
    this.#scoringSince = activity.kind === "scoring" ? performance.now() : undefined;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const silent = now - this.#watched.lastReceivedAt();
    if (silent > this.#times.silenceMs) {
      const seconds = Math.round(silent / 1000);
      return this.#trip(`nothing was heard from it for ${seconds} s while it ran`);
    }
    const limit = this.#watched.scoringLimitMs + this.#times.scoringGraceMs;
    if (this.#scoringSince !== undefined && now - this.#scoringSince > limit) {
      return this.#trip(`its scoring time of ${this.#watched.scoringLimitMs / 1000} s is over, in`);
    }
    if (now - this.#pingedAt < this.#times.pingMs) return;
    this.#pingedAt = now;
    this.#watched.ping();
  }

  #trip(what: string): void {
    this.#stuck.reject(
      new SandboxStuckError(`The sandbox was ended: ${what}: ${this.#activity.name}`),
    );
  }
}
