import type { ActorDocument, StateStore } from '../../../../runtime/ports/store.ts';

/** Documents of one load: what looks at many sources and days reads them in pieces. */
const chunkSize = 500;

/**
 * Those of a kind that exist, in the order of their ids; no more of them in memory at once than one piece. With `fields`, those of
 * their states that are wanted.
 */
export async function* loadEach(
  store: StateStore,
  kind: string,
  ids: readonly string[],
  fields?: readonly string[],
): AsyncGenerator<ActorDocument> {
  for (let start = 0; start < ids.length; start += chunkSize) {
    const keys = ids.slice(start, start + chunkSize).map((id) => ({ kind, id }));
    for (const document of await store.load(keys, fields)) if (document && !document.deleted) yield document;
  }
}
