import { orAbort } from "./promises.ts";

/** Time, and waiting for it. */
export interface Clock {
  /** Milliseconds since some moment; never fewer than before. */
  now(): number;
  /**
   * Resolves after so many milliseconds; rejects with the signal's reason as soon as it is aborted.
   */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The time that there is. */
export const systemClock: Clock = {
  now: () => performance.now(),
  async sleep(milliseconds, signal) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    try {
      await orAbort(promise, signal);
    } finally {
      clearTimeout(timer);
    }
  },
};

/** A clock on which waits are over at once, and have taken their time all the same: for replays. */
export function skippingClock(): Clock {
  let skipped = 0;
  return {
    now: () => performance.now() + skipped,
    sleep(milliseconds, signal) {
      skipped += milliseconds;
      return orAbort(Promise.resolve(), signal);
    },
  };
}
