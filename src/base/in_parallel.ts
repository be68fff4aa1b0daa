/**
 * Calls `body` for each item, at most `limit` at a time. Resolves when all are done, in the order
 * of the items; one that throws disturbs no other.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  body: (item: Item, index: number) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const settled: PromiseSettledResult<Result>[] = new Array(items.length);
  const waiting = items.entries();
  const work = async () => {
    // The iterator is shared: each item is taken once.
    for (const [index, item] of waiting) {
      [settled[index]] = await Promise.allSettled([
        Promise.resolve(item).then((each) => body(each, index)),
      ]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return settled;
}
