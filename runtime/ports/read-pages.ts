import type { ActorDocument, IdRange, Query, StateReads } from './store.ts';

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

/**
 * Yields the ids of a range in pages of `limit`, as `StateStore.idsBetween` finds them. Others run between two pages:
 * the embedded store answers within the same turn of the event loop.
 */
export async function* readIds(
  store: Pick<StateReads, 'idsBetween'>,
  kind: string,
  range: IdRange,
): AsyncGenerator<readonly string[]> {
  for (let { after } = range; ; ) {
    const ids = await store.idsBetween(kind, { ...range, after });
    if (ids.length > 0) yield ids;
    if (ids.length < range.limit) return;
    after = ids.at(-1)!;
    await new Promise(setImmediate);
  }
}
