import type { ActorDocument, Query, StateReads } from './store.ts';

/** Every document of a kind that matches, `limit` at a time and each piece read when it is asked for; see `StateStore.page`. */
export async function* readPages(
  store: Pick<StateReads, 'page'>,
  kind: string,
  where: NonNullable<Query['where']>,
  limit: number,
): AsyncGenerator<readonly ActorDocument[]> {
  for (let after = ''; ; ) {
    const piece = await store.page(kind, { where, after, limit });
    if (piece.length > 0) yield piece;
    if (piece.length < limit) return;
    after = piece.at(-1)!.id;
  }
}
