/**
 * Maps each, begun in their order, with at most `limit` under way at once; the results are in the order given. The first ones begin
 * before it returns. Rejects with the first failure, after which no further one begins; those under way are not awaited.
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
