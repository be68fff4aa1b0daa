/** Time as retries see it: tests have one that does not wait. */
export interface Clock {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Rejects with the signal's reason once it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const CLOCK: Clock = {
  now: () => performance.now(),
  sleep(milliseconds, signal) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal.aborted) return Promise.reject(signal.reason);
    const stop = () => reject(signal.reason);
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    });
  },
};
