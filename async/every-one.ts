/** Does something with each, in order, with so many under way at once. Rejects with the first failure, starting no more. */
export async function everyOne<T>(all: readonly T[], atOnce: number, act: (one: T) => Promise<void>): Promise<void> {
  let next = 0;
  const actInTurn = async () => {
    while (next < all.length) {
      try {
        await act(all[next++]!);
      } catch (error) {
        next = all.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, actInTurn));
}
