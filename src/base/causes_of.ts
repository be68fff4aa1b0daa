const MOST_CAUSES = 8;

/** The error and what caused it, the outermost first; at most eight. */
export function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < MOST_CAUSES; each = each.cause) {
    chain.push(each);
  }
  return chain;
}
