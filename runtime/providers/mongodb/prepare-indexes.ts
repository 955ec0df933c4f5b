import { type Collection, MongoServerError } from 'mongodb';
import type { DocumentAtRest } from './document-at-rest.ts';

const NAMESPACE_NOT_FOUND = 26;

async function indexedPaths(collection: Collection<DocumentAtRest>): Promise<Set<string>> {
  try {
    const indexes = await collection.indexes();
    return new Set(indexes.map((index) => Object.keys(index.key).join()));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return new Set();
    throw error;
  }
}

/**
 * Makes the collection with its indexes, each on one path. What exists is not asked for again: not every server of the
 * protocol takes that.
 */
export async function prepareIndexes(
  collection: Collection<DocumentAtRest>,
  statePaths: readonly string[],
): Promise<void> {
  const existing = await indexedPaths(collection);
  for (const path of ['partition', ...statePaths]) {
    if (!existing.has(path)) await collection.createIndex({ [path]: 1 });
  }
}
