import { setImmediate } from "node:timers";
import type { Clock } from "../../src/base/clock.ts";
import { orAbort } from "../../src/base/promises.ts";

/** Turns of the event loop, of 1 ms each, that something else than the clock may take: a digest. */
const MOST_IDLE_TURNS = 500;

/** A clock that jumps to the end of the next wait once nothing else is left to do. */
export class VirtualClock implements Clock {
  #now = 0;
  #sleepers: { until: number; wake(): void }[] = [];

  now(): number {
    return this.#now;
  }

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleeper = { until: this.#now + milliseconds, wake: resolve };
    this.#sleepers.push(sleeper);
    try {
      await orAbort(promise, signal);
    } finally {
      this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
    }
  }

  /** Lets time pass until `work` is done; throws if it waits for anything else than this clock. */
  async run<Value>(work: Promise<Value>): Promise<Value> {
    let isDone = false;
    let idleTurns = 0;
    const done = () => isDone = true;
    work.then(done, done);
    for (;;) {
      // All that needs no time to pass is done before the event loop comes round.
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone) return await work;
      const [next] = this.#sleepers.toSorted((one, other) => one.until - other.until);
      if (next === undefined) {
        if (idleTurns++ >= MOST_IDLE_TURNS) {
          throw new Error("the work waits, and not for this clock");
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      idleTurns = 0;
      this.#now = Math.max(this.#now, next.until);
      next.wake();
      this.#sleepers = this.#sleepers.filter((each) => each !== next);
    }
  }
}
