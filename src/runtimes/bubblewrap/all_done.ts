/** Waits for all, also if one fails: its error is thrown when nothing is at work any more. */
export async function allDone(promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === "rejected") throw result.reason;
  }
}
