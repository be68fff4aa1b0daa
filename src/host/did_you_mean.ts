/** The candidate that `given` is most likely a slip of; undefined if none is near. */
export async function didYouMean(
  given: string,
  candidates: readonly string[],
): Promise<string | undefined> {
  if (candidates.length === 0) return undefined;
  const { closest, distance } = await import("fastest-levenshtein");
  const best = closest(given, candidates);
  // A third of the letters may be wrong; more is a guess that misleads.
  return distance(given, best) <= Math.max(1, Math.ceil(best.length / 3)) ? best : undefined;
}
