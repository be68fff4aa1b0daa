/** What `promise` settles with; rejects with the signal's reason as soon as it is aborted. */
export async function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Resolves as soon as the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

/** What `promise` resolves with, or `late` if that takes more than so many milliseconds. */
export async function within<Value, Late>(
  promise: Promise<Value>,
  milliseconds: number,
  late: Late,
): Promise<Value | Late> {
  const { promise: timeout, resolve } = Promise.withResolvers<Late>();
  const timer = setTimeout(() => resolve(late), milliseconds);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for all, also if one fails: its error is thrown when nothing is at work any more. */
export async function allDone(promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === "rejected") throw result.reason;
  }
}
