import type { Collection, Document, FindOptions, Sort } from 'mongodb';
import type { FoundDocument } from '../../ports/store.ts';
import { type InSession, within } from './causal-times.ts';
import type { DocumentAtRest } from './document-at-rest.ts';

/** The ids and versions of at most `limit` documents, without reading their content. */
export async function findVersions(
  collection: Collection<DocumentAtRest>,
  filter: Document,
  options: FindOptions & { readonly sort: Sort; readonly limit: number },
): Promise<FoundDocument[]> {
  const versions = { ...options, projection: { version: 1 } };
  const stored = await collection.find<Pick<DocumentAtRest, '_id' | 'version'>>(filter, versions).toArray();
  return stored.map(({ _id, version }) => ({ id: _id, version }));
}

/**
 * Deletes each document that still has its version, each in one atomic step of the database; resolves with the number
 * deleted.
 */
export async function purgeVersions(
  collection: Collection<DocumentAtRest>,
  found: readonly FoundDocument[],
  writeBatch: number,
  inSession: InSession,
): Promise<number> {
  let purged = 0;
  for (let start = 0; start < found.length; start += writeBatch) {
    const batch = found.slice(start, start + writeBatch);
    const operations = batch.map(({ id, version }) => ({ deleteOne: { filter: { _id: id, version } } }));
    const { deletedCount } = await inSession((session) =>
      collection.bulkWrite(operations, { ordered: false, ...within(session) }),
    );
    purged += deletedCount;
  }
  return purged;
}
