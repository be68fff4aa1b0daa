import { type Clock, systemClock } from "../base/clock.ts";
import { orAbort } from "../base/promises.ts";

// The values of these constants are held by `tests/models/rate_limit_test.ts`, which plays
// providers of several limits and asks the gate for a part of the rate that each allows.

/** Milliseconds per call of the lowest rate that a cut starts from: a slower one spares nobody. */
const WIDEST_SPACING_MS = 10_000;
/** Milliseconds over which the rate of calls is observed. */
const WINDOW_MS = 10_000;
/**
 * The least milliseconds that observed calls are spread over: calls that start at once are a burst.
 */
const SHORTEST_WINDOW_MS = 1000;
/**
 * Factor applied to the call rate after the first refusal, and after one below the rate that was
 * refused last (the multiplicative decrease of AIMD).
 */
const DEEP_CUT = 0.5;
/**
 * Factor applied to the call rate after a refusal above the rate that was refused last: the rate
 * had recovered, so the limit is close to it. TCP CUBIC has 0.7 here.
 */
const SLIGHT_CUT = 0.85;
/** The fewest steps in which the rate recovers to the refused one: a bound of CUBIC's K. */
const FEWEST_STEPS = 16;
/** The most steps in which the rate recovers to the refused one: a bound of CUBIC's K. */
const MOST_STEPS = 200;
/** Steps of recovery for each call that could have been made while a refusal made calls wait. */
const STEPS_PER_LOST_CALL = 3;
/** Milliseconds that count as one step of recovery; each call that is let through is one too. */
const STEP_MS = 10_000;

/** The number of calls, the last ones since the first cut, that show whether cuts help. */
const WINDOW_CALLS = 10;
/** The refused part of those calls from which on cuts are taken not to help. */
const UNHELPED = 0.3;
/**
 * The refused part of calls from which on the provider is overloaded: only deeper cuts can help.
 */
const OVERLOADED = 0.75;
/** The lowest rate, as a part of the first refused one, of a provider that is not overloaded. */
const DEEPEST_CUT = 1 / 4;
/**
 * Milliseconds for which calls are not paced once cuts did not help, and for which they are paced,
 * whatever comes, once that turned out to be wrong.
 */
const SETTLED_MS = 120_000;
/** The number of unpaced calls that show whether it was wrong not to pace them. */
const ENOUGH_CALLS = 24;

/** A call that was let through. */
export interface Admission {
  /** The gate's time at which it was. */
  readonly at: number;
  isRefused: boolean;
}

/** The last decrease of the rate, from which it recovers along CUBIC's curve. */
interface Cut {
  readonly at: number;
  /** The rate to which it recovers, in calls per millisecond: CUBIC's W_max. */
  readonly refusedRate: number;
  /** The part of that rate which the cut left: CUBIC's beta. */
  readonly left: number;
  /** The steps after which the rate is the refused one again: CUBIC's K. */
  readonly stepsBack: number;
  /** The calls that were let through since. */
  calls: number;
}

/** A time in which calls are let through as they come. */
interface Unpaced {
  readonly since: number;
  calls: number;
  refused: number;
}

/**
 * Lets the calls of all runs of a command through to one provider, in the order in which they come.
 * They go as fast as they come until the provider refuses one for its rate. From then on all calls
 * wait as long as the provider asks for, and are paced: each refusal decreases the rate by a
 * factor, as in AIMD, and between refusals it grows along the curve of TCP CUBIC (RFC 9438),
 * steeply at first, slowly around the rate that was refused, and steeply again beyond it. If calls
 * go on being refused in spite of that, refusals have another cause than the rate: calls are not
 * paced for a while, and a call that is refused waits by itself.
 */
export class Gate {
  readonly #clock: Clock;
  /** Settles when the last call in line was let through or gave up. */
  #lastGone: Promise<void> = Promise.resolve();
  #closedUntil = -Infinity;
  #nextAt = -Infinity;
  /** The times at which calls were let through in the last `WINDOW_MS`. */
  #admitted: number[] = [];
  #cut: Cut | undefined;
  /** The first of the rates that were refused, in calls per millisecond. */
  #firstRefused = 0;
  /** The last `WINDOW_CALLS` calls since the first cut. */
  #window: Admission[] = [];
  #unpaced: Unpaced | undefined;
  #pacedUntil = -Infinity;

  constructor(options: { clock?: Clock } = {}) {
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Resolves when the call may start; with undefined as soon as it is clear that it can't start
   * before `deadline`, a time of the gate's clock. Rejects with the signal's reason once it is
   * aborted.
   */
  async enter(signal: AbortSignal, deadline?: undefined): Promise<Admission>;
  async enter(signal: AbortSignal, deadline: number): Promise<Admission | undefined>;
  async enter(signal: AbortSignal, deadline = Infinity): Promise<Admission | undefined> {
    if (this.#isLate(deadline)) return undefined;
    const myTurn = this.#lastGone;
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    // A call that gives up holds up nobody, and lets none behind it past those before it.
    this.#lastGone = myTurn.then(() => gone);
    try {
      await orAbort(myTurn, signal);
      // A refusal of another call may lengthen the wait meanwhile.
      for (let wait = this.#wait(); wait > 0; wait = this.#wait()) {
        if (this.#isLate(deadline)) return undefined;
        await this.#clock.sleep(wait, signal);
      }
      return this.#admit();
    } finally {
      go();
    }
  }

  /**
   * Takes note that the provider refused a call for its rate and asks for a wait of `retryAfterMs`;
   * absent: it does not say how long.
   */
  refused(admission: Admission, retryAfterMs = 0): void {
    const now = this.#clock.now();
    admission.isRefused = true;
    if (this.#unpaced !== undefined) return this.#refusedUnpaced(this.#unpaced, now);
    this.#closedUntil = Math.max(this.#closedUntil, now + retryAfterMs);
    // A call that was under way at the last cut says nothing about the rate since.
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

  /**
   * Returns the refused part of the last calls since the first cut; 0: they are too few to tell.
   */
  #partRefused(): number {
    if (this.#window.length < WINDOW_CALLS) return 0;
    return this.#window.filter(({ isRefused }) => isRefused).length / WINDOW_CALLS;
  }

  /** Cuts the rate to the part `left` of `rate`, which is in calls per millisecond. */
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

  /** Ends the pacing: a provider that refuses calls at any rate is not helped by it. */
  #letGo(now: number): void {
    this.#unpaced = { since: now, calls: 0, refused: 0 };
    this.#cut = undefined;
    this.#window = [];
    this.#closedUntil = this.#nextAt = -Infinity;
  }

  /** Ends the unpaced time if it is over, or if so many calls are refused that it was wrong. */
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
    // Timers are a little late: the next call makes up for that.
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
   * Returns the allowed calls per millisecond. After a cut they are on CUBIC's curve: it flattens
   * towards the rate that was refused, reaches it after `stepsBack` steps, and steepens beyond it.
   */
  #allowedRate(now: number): number {
    const cut = this.#cut;
    if (cut === undefined) return Infinity;
    const way = this.#steps(cut, now) / cut.stepsBack - 1;
    return cut.refusedRate * (1 + (1 - cut.left) * way ** 3);
  }

  /** Returns the steps since a cut: CUBIC's t, counted in calls as well as in time. */
  #steps(cut: Cut, now: number): number {
    return cut.calls + (now - cut.at) / STEP_MS;
  }

  /** Returns the calls per millisecond that were let through of late. */
  #observedRate(now: number): number {
    const recent = this.#admitted.filter((each) => now - each < WINDOW_MS);
    const [first = now] = recent;
    return Math.max(recent.length, 1) / Math.max(now - first, SHORTEST_WINDOW_MS);
  }
}

/** The gates of one command: one for each provider and URL, made when it is first asked for. */
export class Gates {
  readonly #gates = new Map<string, Gate>();
  readonly #clock: Clock;

  constructor(options: { clock?: Clock } = {}) {
    this.#clock = options.clock ?? systemClock;
  }

  /** Returns the gate of a provider at one base URL. */
  of(provider: string, baseUrl: string): Gate {
    const key = `${provider} ${baseUrl}`;
    const gate = this.#gates.get(key) ?? new Gate({ clock: this.#clock });
    this.#gates.set(key, gate);
    return gate;
  }
}
