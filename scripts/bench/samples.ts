/** The middle of the values, or the mean of the two in the middle. NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

/**
 * The milliseconds that each body takes: `rounds` times for each, after one round to warm up. The
 * bodies take turns, so that whatever else the machine does befalls them alike. Throws what a body
 * throws, and the signal's reason before the next one.
 */
export async function timesOf(
  bodies: readonly (() => Promise<unknown>)[],
  options: { rounds: number; signal: AbortSignal },
): Promise<number[][]> {
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
export function spread(values: readonly number[], unit: string): string {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(significant);
  return `${least} to ${most} ${unit} in ${values.length} runs`;
}

/** Three significant digits. */
export function significant(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
