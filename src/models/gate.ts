import { type Clock, orAbort, systemClock } from "./clock.ts";

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

/** A call that was let through. */
export interface Admission {
  readonly at: number;
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

/**
 * Lets calls through to one provider, in the order of their coming, for all runs of a command. As
 * fast as they come, until the provider refuses one for its rate: then all wait as long as it asks
 * for, and are let through one by one, at a rate that is cut by refusals and grows in between.
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
    this.#closedUntil = Math.max(this.#closedUntil, now + retryAfterMs);
    // Calls that were under way at the last cut say nothing of the rate since.
    if (this.#cut !== undefined && admission.at < this.#cut.at) return;
    const refusedRate = Math.min(this.#allowedRate(now), this.#observedRate(now));
    const wasRight = this.#cut !== undefined && this.#steps(this.#cut, now) > this.#cut.stepsBack;
    const lostCalls = refusedRate * retryAfterMs;
    this.#cut = {
      at: now,
      refusedRate: Math.max(refusedRate, 1 / WIDEST_SPACING_MS),
      left: wasRight ? SLIGHT_CUT : DEEP_CUT,
      stepsBack: Math.min(Math.max(STEPS_PER_LOST_CALL * lostCalls, FEWEST_STEPS), MOST_STEPS),
      calls: 0,
    };
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
    if (this.#cut !== undefined) this.#cut.calls++;
    this.#admitted = [...this.#admitted.filter((each) => at - each < WINDOW_MS), at];
    return { at };
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
