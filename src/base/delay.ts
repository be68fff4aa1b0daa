/** A span of time that stops mattering when it goes out of scope. */
export interface Delay extends Disposable {
  /** Resolves when the time is over; never if the delay was disposed or its signal aborted. */
  readonly over: Promise<undefined>;
}

export function delay(milliseconds: number, signal?: AbortSignal): Delay {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), milliseconds);
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  };
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  return { over: promise, [Symbol.dispose]: stop };
}
