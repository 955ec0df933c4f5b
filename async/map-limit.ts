/**
 * Maps all items, started in order, with at most `limit` calls under way at once; the results have the order of the
 * items. The first calls start before this function returns. Rejects with the first failure; no further call starts
 * then, and the calls under way are not awaited.
 */
export async function mapLimit<T, R>(
  all: readonly T[],
  limit: number,
  map: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(all.length);
  let next = 0;
  const mapInTurn = async () => {
    while (next < all.length) {
      const index = next++;
      try {
        results[index] = await map(all[index]!, index);
      } catch (error) {
        next = all.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, all.length) }, mapInTurn));
  return results;
}
