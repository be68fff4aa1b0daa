/**
 * How a provider limits its callers: so many calls may be taken at once, and each is filled up
 * again.
 */
export class TokenBucket {
  readonly #rate: number;
  readonly #size: number;
  readonly #now: () => number;
  #tokens: number;
  #filledAt: number;

  /** `rate`: calls per second; `size`: how many the full bucket holds. */
  constructor(options: { rate: number; size: number; now: () => number }) {
    this.#rate = options.rate / 1000;
    this.#size = options.size;
    this.#now = options.now;
    this.#tokens = options.size;
    this.#filledAt = options.now();
  }

  /** Undefined if the call may pass, else the milliseconds until one may. */
  take(): number | undefined {
    const now = this.#now();
    this.#tokens = Math.min(this.#size, this.#tokens + (now - this.#filledAt) * this.#rate);
    this.#filledAt = now;
    if (this.#tokens < 1) return (1 - this.#tokens) / this.#rate;
    this.#tokens -= 1;
    return undefined;
  }
}
