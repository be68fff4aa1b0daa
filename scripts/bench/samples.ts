/** The middle of the values, or the mean of the two in the middle. NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

/** How many milliseconds each body takes: its times, `rounds` of them. */
export type Times = readonly number[];

/**
 * Runs each body once to warm up, then all of them in turn, `rounds` times: whatever else the
 * machine does meanwhile befalls them alike. Throws the signal's reason between two bodies.
 */
export async function timesOf(
  bodies: readonly (() => Promise<unknown>)[],
  options: { rounds: number; signal: AbortSignal },
): Promise<Times[]> {
  const times = bodies.map((): number[] => []);
  for (let round = 0; round <= options.rounds; round++) {
    for (const [index, body] of bodies.entries()) {
      options.signal.throwIfAborted();
      const start = performance.now();
      await body();
      if (round > 0) times[index]!.push(performance.now() - start);
    }
  }
  return times;
}

/** For a reader: how far the values lie apart. */
export function spread(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${significant(least)} to ${significant(most)} in ${values.length} runs`;
}

/** Three significant digits. */
export function significant(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
