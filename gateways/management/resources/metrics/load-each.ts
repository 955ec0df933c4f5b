import type { ActorDocument, StateStore } from '#runtime/ports/store';

/** The number of documents of one load, so that a report over many sources and days is read in chunks. */
const chunkSize = 500;

/**
 * Loads those documents of a kind that exist, in the order of their ids, with at most one chunk in memory. With
 * `fields`, it loads only those fields of their states.
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
