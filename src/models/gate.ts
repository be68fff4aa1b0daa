import { type Clock, systemClock } from "../base/clock.ts";
import { orAbort } from "../base/promises.ts";

/** Calls are never let through further apart: that would be standing still, not sparing a provider. */
const WIDEST_SPACING_MS = 10_000;
/** The calls of so many milliseconds say how fast they came. */
const WINDOW_MS = 10_000;
/** Calls that start together don't say how fast the next ones will come. */
const SHORTEST_WINDOW_MS = 1000;
/** What is left of the rate after a refusal below the rate that was refused before, or the first. */
const DEEP_CUT = 0.5;
/** What is left of it after a refusal above that. */
const SLIGHT_CUT = 0.85;
/** Steps until the rate is back at the one that was refused, within bounds. */
const FEWEST_STEPS = 16;
const MOST_STEPS = 200;
/** So many times the calls that a refusal made wait. */
const STEPS_PER_LOST_CALL = 3;
/** Each call that goes through is a step, and so is such a time. */
const STEP_MS = 10_000;

/** So many calls tell whether cuts helped: */
const WINDOW_CALLS = 10;
/** they have not if so many of them are refused, */
const UNHELPED = 0.3;
/** unless so many are that only more of it can help. */
const OVERLOADED = 0.75;
/** Without that the rate is not cut to less than this part of the first that was refused. */
const DEEPEST_CUT = 1 / 4;
/** For so long calls are not paced then; and are, whatever comes, where that was wrong. */
const SETTLED_MS = 120_000;
/** So many calls tell that it was wrong. */
const ENOUGH_CALLS = 24;

/** A call that was let through. */
export interface Admission {
  readonly at: number;
  isRefused: boolean;
}

interface Cut {
  readonly at: number;
  /** Calls per millisecond. */
  readonly refusedRate: number;
  readonly left: number;
  readonly stepsBack: number;
  /** Let through since. */
  calls: number;
}

/** A time in which calls go as they come. */
interface Unpaced {
  readonly since: number;
  calls: number;
  refused: number;
}

/**
 * Lets calls through to one provider, in the order of their coming, for all runs of a command. As
 * fast as they come, until the provider refuses one for its rate: then all wait as long as it asks
 * for, and are let through one by one, at a rate that is cut by refusals and grows in between. If
 * cuts don't help, refusals have another cause, and each call that is refused waits by itself.
 */
export class Gate {
  readonly #clock: Clock;
  /** Settles when the last in line has gone. */
  #lastGone: Promise<void> = Promise.resolve();
  #closedUntil = -Infinity;
  #nextAt = -Infinity;
  /** When calls went through, in the last `WINDOW_MS`. */
  #admitted: number[] = [];
  #cut: Cut | undefined;
  /** The first of the rates that were refused, in calls per millisecond. */
  #firstRefused = 0;
  /** The last calls since the first cut. */
  #window: Admission[] = [];
  #unpaced: Unpaced | undefined;
  #pacedUntil = -Infinity;

  constructor(options: { clock?: Clock } = {}) {
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Resolves when the call may start, or with undefined as soon as it is known that this will not be
   * before `deadline`, on the gate's clock; rejects with the signal's reason once it is aborted.
   */
  async enter(signal: AbortSignal, deadline?: undefined): Promise<Admission>;
  async enter(signal: AbortSignal, deadline: number): Promise<Admission | undefined>;
  async enter(signal: AbortSignal, deadline = Infinity): Promise<Admission | undefined> {
    if (this.#isLate(deadline)) return undefined;
    const myTurn = this.#lastGone;
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    // Who gives up in line holds up nobody, and lets nobody past those before.
    this.#lastGone = myTurn.then(() => gone);
    try {
      await orAbort(myTurn, signal);
      // A refusal that comes meanwhile makes the wait longer.
      for (let wait = this.#wait(); wait > 0; wait = this.#wait()) {
        if (this.#isLate(deadline)) return undefined;
        await this.#clock.sleep(wait, signal);
      }
      return this.#admit();
    } finally {
      go();
    }
  }

  /** The provider refused this call for its rate, and asks to wait so long; absent: doesn't say. */
  refused(admission: Admission, retryAfterMs = 0): void {
    const now = this.#clock.now();
    admission.isRefused = true;
    if (this.#unpaced !== undefined) return this.#refusedUnpaced(this.#unpaced, now);
    this.#closedUntil = Math.max(this.#closedUntil, now + retryAfterMs);
    // Calls that were under way at the last cut say nothing of the rate since.
    if (this.#cut !== undefined && admission.at < this.#cut.at) return;
    const isSettled = now < this.#pacedUntil;
    const refused = this.#partRefused();
    if (!isSettled && refused >= UNHELPED && refused < OVERLOADED) return this.#letGo(now);
    const refusedRate = Math.min(this.#allowedRate(now), this.#observedRate(now));
    if (this.#cut === undefined) this.#firstRefused = refusedRate;
    const wasRight = this.#cut !== undefined && this.#steps(this.#cut, now) > this.#cut.stepsBack;
    const left = wasRight ? SLIGHT_CUT : DEEP_CUT;
    const least = isSettled || refused >= OVERLOADED ? 0 : this.#firstRefused * DEEPEST_CUT;
    this.#pace(now, { rate: Math.max(refusedRate, least / left), left, retryAfterMs });
  }

  /** Of the last calls since the first cut; 0 if there were too few to tell. */
  #partRefused(): number {
    if (this.#window.length < WINDOW_CALLS) return 0;
    return this.#window.filter(({ isRefused }) => isRefused).length / WINDOW_CALLS;
  }

  /** Cuts the rate: `left` of `rate` is left, in calls per millisecond. */
  #pace(
    now: number,
    { rate, left, retryAfterMs = 0 }: { rate: number; left: number; retryAfterMs?: number },
  ): void {
    const lostCalls = rate * retryAfterMs;
    this.#cut = {
      at: now,
      refusedRate: Math.max(rate, 1 / WIDEST_SPACING_MS),
      left,
      stepsBack: Math.min(Math.max(STEPS_PER_LOST_CALL * lostCalls, FEWEST_STEPS), MOST_STEPS),
      calls: 0,
    };
  }

  /** There are providers that refuse calls at any rate: pacing them would cost time for nothing. */
  #letGo(now: number): void {
    this.#unpaced = { since: now, calls: 0, refused: 0 };
    this.#cut = undefined;
    this.#window = [];
    this.#closedUntil = this.#nextAt = -Infinity;
  }

  #refusedUnpaced(unpaced: Unpaced, now: number): void {
    const { since, calls } = unpaced;
    unpaced.refused += 1;
    const isWrong = calls >= ENOUGH_CALLS && unpaced.refused > calls * OVERLOADED;
    if (!isWrong && now - since < SETTLED_MS) return;
    this.#unpaced = undefined;
    if (!isWrong) return;
    this.#pace(now, { rate: (calls - unpaced.refused) / (now - since), left: 1 });
    this.#pacedUntil = now + SETTLED_MS;
  }

  #isLate(deadline: number): boolean {
    return this.#wait() > 0 && this.#clock.now() + this.#wait() >= deadline;
  }

  #wait(): number {
    return Math.max(this.#closedUntil, this.#nextAt) - this.#clock.now();
  }

  #admit(): Admission {
    const at = this.#clock.now();
    const spacing = 1 / this.#allowedRate(at);
    // A timer is always late by a little: that is made up for by the next.
    this.#nextAt = (at - this.#nextAt < spacing ? this.#nextAt : at) + spacing;
    const admission = { at, isRefused: false };
    if (this.#unpaced !== undefined) this.#unpaced.calls++;
    if (this.#cut !== undefined) {
      this.#cut.calls++;
      this.#window = [...this.#window, admission].slice(-WINDOW_CALLS);
    }
    this.#admitted = [...this.#admitted.filter((each) => at - each < WINDOW_MS), at];
    return admission;
  }

  /**
   * Calls per millisecond: after a cut ever more slowly up to the rate that was refused, and
   * beyond it ever faster.
   */
  #allowedRate(now: number): number {
    const cut = this.#cut;
    if (cut === undefined) return Infinity;
    const way = this.#steps(cut, now) / cut.stepsBack - 1;
    return cut.refusedRate * (1 + (1 - cut.left) * way ** 3);
  }

  #steps(cut: Cut, now: number): number {
    return cut.calls + (now - cut.at) / STEP_MS;
  }

  #observedRate(now: number): number {
    const recent = this.#admitted.filter((each) => now - each < WINDOW_MS);
    const [first = now] = recent;
    return Math.max(recent.length, 1) / Math.max(now - first, SHORTEST_WINDOW_MS);
  }
}

/** The gates of one command: one for each key, made when it is first asked for. */
export class Gates {
  readonly #gates = new Map<string, Gate>();
  readonly #clock: Clock;

  constructor(options: { clock?: Clock } = {}) {
    this.#clock = options.clock ?? systemClock;
  }

  /** The gate of a provider at one base URL. */
  of(provider: string, baseUrl: string): Gate {
    const key = `${provider} ${baseUrl}`;
    const gate = this.#gates.get(key) ?? new Gate({ clock: this.#clock });
    this.#gates.set(key, gate);
    return gate;
  }
}
