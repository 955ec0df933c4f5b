import { type Document, MongoClient } from 'mongodb';
import { collectionOf, databaseNamedBy } from './names.ts';

/**
 * A kind of actors, and whether ranges of its ids are read: then its collection is sharded by ids in order, otherwise
 * by their hash.
 */
export interface ShardedKind {
  readonly kind: string;
  readonly readByRange: boolean;
}

/** The commands of a router. */
export interface Router {
  command(database: string, command: Document): Promise<Document>;
  /** The shard key of a collection; null when it lies on one shard. */
  shardKeyOf(namespace: string): Promise<Document | null>;
}

export type ShardingOutcome = 'divided' | 'divided before';

/**
 * Shards the collections of actors; sharded ones stay so, and the call may be repeated after an interruption.
 *
 * @throws Error for a server that is not a router, and for a collection with another shard key
 */
export async function shardCollections(
  router: Router,
  database: string,
  kinds: readonly ShardedKind[],
  told: (collection: string, outcome: ShardingOutcome) => void,
): Promise<void> {
  const hello = await router.command('admin', { hello: 1 });
  if (hello.msg !== 'isdbgrid') {
    throw new Error('the server at MONGODB_URL is no mongos: only a sharded cluster divides collections');
  }
  for (const { kind, readByRange } of kinds) {
    const collection = collectionOf(kind);
    const namespace = `${database}.${collection}`;
    const key = { _id: readByRange ? 1 : 'hashed' };
    const present = await router.shardKeyOf(namespace);
    if (present === null) {
      // A collection with documents needs the index first; every collection has the one on _id.
      if (!readByRange) {
        const indexes = [{ key, name: '_id_hashed' }];
        await router.command(database, { createIndexes: collection, indexes });
      }
      await router.command('admin', { shardCollection: namespace, key });
    } else if (JSON.stringify(present) !== JSON.stringify(key)) {
      throw new Error(
        `${namespace} is divided by ${JSON.stringify(present)} and not by ${JSON.stringify(key)}: see reshardCollection in MongoDB's manual`,
      );
    }
    told(collection, present === null ? 'divided' : 'divided before');
  }
}

/** Connects to the server at the URL for as long as `work` takes. */
export async function withRouter<T>(url: string, work: (router: Router, database: string) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, { appName: 'ad-exchange', writeConcern: { w: 'majority', journal: true } });
  try {
    await client.connect();
    const router: Router = {
      command: (database, command) => client.db(database).command(command),
      async shardKeyOf(namespace) {
        const found = await client
          .db('config')
          .collection<{ _id: string; key: Document; unsplittable?: boolean }>('collections')
          .findOne({ _id: namespace }, { readConcern: { level: 'majority' } });
        return found === null || found.unsplittable === true ? null : found.key;
      },
    };
    return await work(router, databaseNamedBy(url));
  } finally {
    await client.close();
  }
}
