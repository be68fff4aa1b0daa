import type { Clock } from "../../src/base/clock.ts";

/** A clock on which a sleep takes no time and is written down. */
export class FakeClock implements Clock {
  readonly sleeps: number[] = [];
  #now = 0;

  now(): number {
    return this.#now;
  }

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.sleeps.push(milliseconds);
    this.pass(milliseconds);
    await Promise.resolve();
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
