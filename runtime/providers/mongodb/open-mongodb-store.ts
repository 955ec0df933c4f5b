import { type FindOptions, MongoClient, type MongoClientOptions } from 'mongodb';
import type {
  ActorDocument,
  ActorKey,
  HighWaterMark,
  KindStorage,
  SaveOutcome,
  StateStore,
} from '../../ports/store.ts';
import { countElements, type Group } from './count-elements.ts';
import { type DeadLetterAtRest, insertLetters, letterFromRest } from './dead-letters.ts';
import { within } from './deadline.ts';
import { actorsOf, type DocumentAtRest, documentFromRest, documentToRest, projectionOf } from './document-at-rest.ts';
import { IndexBuilder, type ReportIndexes } from './index-builder.ts';
import { type MarkAtRest, raiseHighWater, readHighWater, type SettledValue, settleValue } from './marks.ts';
import { findVersions, purgeVersions } from './purge.ts';
import { queryFilter, querySort, statePath } from './query-filter.ts';
import { loadInParts, readPage, scanByCursor, scanByPages } from './read-in-parts.ts';
import { SaveQueue } from './save-queue.ts';
import { readServerTraits } from './server-traits.ts';
import { writeSaves } from './write-saves.ts';

export interface MongodbStoreOptions {
  /** `mongodb://…` or `mongodb+srv://…`; its options (maxPoolSize, TLS, …) hold. */
  readonly url: string;
  /** Default: the one that the URL names, or else `exchange`. */
  readonly database?: string;
  /** Most documents in one write command. Default 1,000. */
  readonly writeBatch?: number;
  /** Most write commands under way at the same time. Default 4. */
  readonly writeConcurrency?: number;
  /** A command without an answer for so long fails, and with it its call: `StoreUnavailable`. Default 5,000. */
  readonly requestTimeoutMs?: number;
  /** Whether documents are scanned in pages by id, and not by one cursor. Default: where the server makes them cheap. */
  readonly pages?: boolean;
  /** Told when indexes are being made, and when they are there. */
  readonly report?: ReportIndexes;
}

/** A command takes 48 MB at most, and the client cuts bulks at 16: below, a command of ours is one on the wire. */
const WRITE_BYTES = 12 * 1_048_576;
const PING_TIMEOUT_MS = 2000;

/** As it is to lie in the database, and what that comes to, about; null when it cannot. */
function encodable(document: ActorDocument): Encoded | null {
  const size = { bytes: 0 };
  try {
    return { atRest: documentToRest(document, size), bytes: size.bytes };
  } catch {
    return null;
  }
}

interface Encoded {
  readonly atRest: DocumentAtRest;
  readonly bytes: number;
}

function databaseNamedBy(url: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}

/**
 * The state store on MongoDB ≥ 6 (or what speaks its protocol): a collection per kind, writes acknowledged by a
 * majority and journaled, reads from the primary of what a majority has. Rejects with `StoreUnavailable` when the server
 * cannot be reached now; later losses of the connection heal by themselves.
 */
export async function openMongodbStore(options: MongodbStoreOptions): Promise<StateStore> {
  const { url, writeBatch = 1000, writeConcurrency = 4, requestTimeoutMs = 5000 } = options;
  const open = async (more: MongoClientOptions = {}): Promise<MongoClient> => {
    const client = new MongoClient(url, {
      appName: 'ad-exchange',
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: requestTimeoutMs },
      // What is read to tell whether a save went through must not be rolled back afterwards.
      readConcern: { level: 'majority' },
      readPreference: 'primary',
      ignoreUndefined: true,
      serverSelectionTimeoutMS: requestTimeoutMs,
      waitQueueTimeoutMS: requestTimeoutMs,
      connectTimeoutMS: requestTimeoutMs,
      // Frees the connection of a command that its caller has given up.
      socketTimeoutMS: requestTimeoutMs + 1000,
      heartbeatFrequencyMS: 1000,
      ...more,
    });
    try {
      return await client.connect();
    } catch (error) {
      await client.close();
      throw error;
    }
  };
  const client = await within(requestTimeoutMs + 1000, 'connect', () => open());
  const databaseName = options.database ?? databaseNamedBy(url) ?? 'exchange';
  const database = client.db(databaseName);
  const traits = await within(requestTimeoutMs, 'hello', () => readServerTraits(database)).catch(async (error) => {
    await client.close();
    throw error;
  });
  const { pages = traits.rangesById } = options;
  const deadLetters = database.collection<DeadLetterAtRest>('dead-letters');
  const highWater = database.collection<MarkAtRest>('high-water');
  const settled = database.collection<SettledValue>('settled');

  const bounded = <T>(what: string, work: () => Promise<T>): Promise<T> => within(requestTimeoutMs, what, work);
  const maxTimeMS = requestTimeoutMs;
  const limits = { writeBatch, writeBytes: WRITE_BYTES, writeConcurrency, patienceMs: requestTimeoutMs };
  const queue = new SaveQueue(limits, (kind, saves) => writeSaves(actorsOf(database, kind), saves, requestTimeoutMs));

  const reading = (find: FindOptions = {}) => ({ timeoutMs: requestTimeoutMs, find });

  const indexes = new IndexBuilder({
    connect: () => open({ maxPoolSize: 1, minPoolSize: 0, socketTimeoutMS: 0 }),
    databaseName,
    report: options.report ?? (() => {}),
  });

  function saveOne(kind: string, { atRest, bytes }: Encoded): Promise<SaveOutcome> {
    return new Promise((resolve, reject) => {
      queue.add(kind, { document: atRest, bytes, askedAtMs: performance.now(), resolve, reject });
    });
  }

  const raise = ({ partition, position }: HighWaterMark) =>
    bounded('raise high water', () => raiseHighWater(highWater, partition, position));

  return {
    async prepare(kinds: readonly KindStorage[]) {
      indexes.want(kinds);
    },

    unindexed: () => indexes.unindexed,

    async load(keys: readonly ActorKey[], fields?: readonly string[]) {
      const idsByKind = new Map<string, Set<string>>();
      for (const { kind, id } of keys) {
        const ids = idsByKind.get(kind);
        if (ids) ids.add(id);
        else idsByKind.set(kind, new Set([id]));
      }
      const options = reading(fields === undefined ? {} : { projection: projectionOf(fields) });
      const load = async ([kind, ids]: [string, Set<string>]) =>
        [kind, await loadInParts(actorsOf(database, kind), kind, [...ids], options)] as const;
      const found = new Map(await Promise.all([...idsByKind].map(load)));
      return keys.map(({ kind, id }) => found.get(kind)?.get(id) ?? null);
    },

    save: async (documents, mark) => {
      // Encoded now: a lazy actor's state goes on changing in place.
      const saves = documents.map((document) => [document.kind, encodable(document)] as const);
      if (mark) await raise(mark);
      return Promise.all(saves.map(([kind, encoded]) => (encoded === null ? 'unstorable' : saveOne(kind, encoded))));
    },

    query: (kind, query) =>
      bounded('query', async () => {
        const actors = actorsOf(database, kind);
        const filter = queryFilter(query.where);
        const { skip = 0, limit } = query;
        const page = actors.find(filter, { sort: querySort(query), skip, limit: limit ?? 0, maxTimeMS });
        const [stored, total] = await Promise.all([
          limit === 0 ? [] : page.toArray(),
          skip === 0 && limit === undefined ? null : actors.countDocuments(filter, { maxTimeMS }),
        ]);
        return { documents: stored.map((one) => documentFromRest(kind, one)), total: total ?? stored.length };
      }),

    page: (kind, { where, after, limit }) =>
      readPage(actorsOf(database, kind), kind, queryFilter(where), { after, limit }, reading()),

    countBy: (kind, path, where) =>
      bounded('count', async () => {
        const grouping = { $group: { _id: `$${statePath(path)}`, count: { $sum: 1 } } };
        const pipeline = [{ $match: queryFilter(where) }, grouping];
        return countElements(await actorsOf(database, kind).aggregate<Group>(pipeline, { maxTimeMS }).toArray());
      }),

    find: (kind, query) =>
      bounded('find', async () => {
        const { where, limit } = query;
        if (limit === 0) return [];
        return findVersions(actorsOf(database, kind), queryFilter(where), { sort: querySort(query), limit, maxTimeMS });
      }),

    idsBetween: (kind, { after, below, limit }) =>
      bounded('ids between', async () => {
        if (limit === 0) return [];
        const _id = below === undefined ? { $gt: after } : { $gt: after, $lt: below };
        const options = { projection: { _id: 1 }, sort: { _id: 1 }, limit, maxTimeMS } as const;
        const stored = await actorsOf(database, kind).find({ deleted: false, _id }, options).toArray();
        return stored.map((one) => one._id);
      }),

    tombstones: (kind, before, limit) =>
      bounded('tombstones', async () => {
        // Positions begin with the log's time in as many digits for the next two centuries: they compare as text.
        const filter = { deleted: true, position: { $lt: before } };
        if (limit === 0) return [];
        return findVersions(actorsOf(database, kind), filter, { sort: { _id: 1 }, limit, maxTimeMS });
      }),

    purge: (kind, found) => bounded('purge', () => purgeVersions(actorsOf(database, kind), found, writeBatch)),

    scan: (kind) => (pages ? scanByPages : scanByCursor)(actorsOf(database, kind), kind, reading()),

    park: (letters) => bounded('park', () => insertLetters(deadLetters, letters, writeBatch)),

    deadLetters: ({ limit, after }) =>
      bounded('dead letters', async () => {
        if (limit === 0) return [];
        const filter = after === undefined ? {} : { _id: { $gt: after } };
        const stored = await deadLetters.find(filter, { sort: { _id: 1 }, limit, maxTimeMS }).toArray();
        return stored.map(letterFromRest);
      }),

    deadLetter: (id) =>
      bounded('dead letter', async () => {
        const stored = await deadLetters.findOne({ _id: id }, { maxTimeMS });
        return stored && letterFromRest(stored);
      }),

    markReplayed: (id, atMs) =>
      bounded('mark replayed', async () => {
        await deadLetters.updateOne({ _id: id }, { $set: { replayedAtMs: atMs } });
      }),

    markDiscarded: (id, { atMs, by, why }) =>
      bounded('mark discarded', async () => {
        const discarded = { atMs, by, why };
        await deadLetters.updateOne({ _id: id, discarded: { $exists: false } }, { $set: { discarded } });
      }),

    highWater: (partition) => bounded('high water', () => readHighWater(highWater, partition)),

    raiseHighWater: (partition, position) => raise({ partition, position }),

    settle: (name, value) =>
      bounded('settle', () => settleValue(settled, name, value, AbortSignal.timeout(requestTimeoutMs))),

    settled: (name) => bounded('settled', async () => (await settled.findOne({ _id: name }))?.value ?? null),

    withdraw: (name) =>
      bounded('withdraw', async () => {
        await settled.updateOne({ _id: name }, { $set: { value: null } }, { upsert: true });
      }),

    healthy: () =>
      within(Math.min(PING_TIMEOUT_MS, requestTimeoutMs), 'ping', () => database.command({ ping: 1 })).then(
        () => true,
        () => false,
      ),

    async close() {
      await indexes.close();
      await client.close();
    },
  };
}
