import type { ActorDocument, Query, StateReads } from './store.ts';

/**
 * Yields every document of a kind that matches, in pages of `limit`. Each page is read when the consumer asks for it;
 * see `StateStore.page`.
 */
export async function* readPages(
  store: Pick<StateReads, 'page'>,
  kind: string,
  where: NonNullable<Query['where']>,
  limit: number,
): AsyncGenerator<readonly ActorDocument[]> {
  for (let after = ''; ; ) {
    const page = await store.page(kind, { where, after, limit });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = page.at(-1)!.id;
  }
}
