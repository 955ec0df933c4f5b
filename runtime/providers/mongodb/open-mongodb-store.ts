import { type ClientSession, MongoClient, type MongoClientOptions } from 'mongodb';
import type { ActorDocument, HighWaterMark, KindStorage, SaveOutcome, StateStore } from '../../ports/store.ts';
import { CausalTimes, within } from './causal-times.ts';
import { type DeadLetterAtRest, insertDeadLetters, markDiscardedBy, markReplayedAt } from './dead-letters.ts';
import { actorsOf, type DocumentAtRest, documentToRest } from './document-at-rest.ts';
import { IndexBuilder, type ReportIndexes } from './index-builder.ts';
import {
  findValue,
  type MarkAtRest,
  type NamedValue,
  putValueIfAbsent,
  raiseHighWater,
  readHighWater,
  withdrawValue,
} from './marks.ts';
import { databaseNamedBy } from './names.ts';
import type { PoolCounts } from './pool-counts.ts';
import { purgeVersions } from './purge.ts';
import { readsOf } from './reads.ts';
import { SaveQueue } from './save-queue.ts';
import { readServerTraits } from './server-traits.ts';
import { withDeadline } from './with-deadline.ts';
import { writeSaves } from './write-saves.ts';

type SnapshotReads = 'primary' | 'secondary-preferred';

export interface MongodbStoreOptions {
  /** The URL, `mongodb://…` or `mongodb+srv://…`; its options (maxPoolSize, TLS, …) apply. */
  readonly url: string;
  /** The database. Default: the one that the URL names, or else `exchange`. */
  readonly database?: string;
  /** The maximum number of documents in one write command. Default 1,000. */
  readonly writeBatch?: number;
  /** The maximum number of write commands under way at the same time. Default 4. */
  readonly writeConcurrency?: number;
  /**
   * A command without an answer for this long fails with `StoreUnavailable`, and its call with it, ms. Default 5,000.
   */
  readonly requestTimeoutMs?: number;
  /**
   * Whether documents are scanned in pages by id instead of by one cursor. Default: in pages where the server makes
   * them cheap.
   */
  readonly pages?: boolean;
  /** The servers from which whole snapshots of the catalogue are read. Default: the primary, like all other reads. */
  readonly snapshotReads?: SnapshotReads;
  /** Called when indexes are being built and when they are complete. */
  readonly report?: ReportIndexes;
  readonly pool?: PoolCounts | undefined;
}

/**
 * Upper bound of the bytes of one write command. The server accepts 48 MB and the client splits bulks at 16 MB: below
 * that, a command here is one command on the wire.
 */
const WRITE_BYTES = 12 * 1_048_576;
const PING_TIMEOUT_MS = 2000;

/** The encoded document with its approximate size; null when it cannot be encoded. */
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

/**
 * The state store on MongoDB ≥ 6 (or a server that speaks its protocol): one collection per kind, writes acknowledged
 * by a majority and journaled, reads from the primary of what a majority has. Rejects with `StoreUnavailable` when the
 * server cannot be reached now; later losses of the connection are repaired by themselves.
 */
export async function openMongodbStore(options: MongodbStoreOptions): Promise<StateStore> {
  const { url, writeBatch = 1000, writeConcurrency = 4, requestTimeoutMs = 5000 } = options;
  const open = async (more: MongoClientOptions = {}): Promise<MongoClient> => {
    const client = new MongoClient(url, {
      appName: 'ad-exchange',
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: requestTimeoutMs },
      // A read that decides whether a save went through must not be rolled back afterwards.
      readConcern: { level: 'majority' },
      readPreference: 'primary',
      // Each write is of one document, and the server recognises a repetition by its transaction's number: it is
      // retried once after an election.
      retryWrites: true,
      retryReads: true,
      ignoreUndefined: true,
      serverSelectionTimeoutMS: requestTimeoutMs,
      waitQueueTimeoutMS: requestTimeoutMs,
      connectTimeoutMS: requestTimeoutMs,
      // Frees the connection of a command whose caller has given up.
      socketTimeoutMS: requestTimeoutMs + 1000,
      heartbeatFrequencyMS: 1000,
      ...more,
    });
    options.pool?.watch(client);
    try {
      return await client.connect();
    } catch (error) {
      await client.close();
      throw error;
    }
  };
  const client = await withDeadline(requestTimeoutMs + 1000, 'connect', () => open());
  const databaseName = options.database ?? databaseNamedBy(url);
  const database = client.db(databaseName);
  const traits = await withDeadline(requestTimeoutMs, 'hello', () => readServerTraits(database)).catch(
    async (error) => {
      await client.close();
      throw error;
    },
  );
  const { pages = traits.rangesById } = options;
  const deadLetters = database.collection<DeadLetterAtRest>('dead-letters');
  const highWater = database.collection<MarkAtRest>('high-water');
  const present = database.collection<{ readonly _id: string; readonly times: number }>('present');
  const settled = database.collection<NamedValue>('settled');

  const bounded = <T>(what: string, work: () => Promise<T>): Promise<T> => withDeadline(requestTimeoutMs, what, work);
  const limits = { writeBatch, writeBytes: WRITE_BYTES, writeConcurrency, patienceMs: requestTimeoutMs };

  const times = new CausalTimes(client, traits.causal);
  const common = { database, deadLetters, timeoutMs: requestTimeoutMs, pages };
  const inSession = times.after('');
  const queue = new SaveQueue(limits, (kind, saves) =>
    writeSaves(actorsOf(database, kind), saves, requestTimeoutMs, inSession),
  );
  const reads = readsOf({ ...common, inSession });
  const snapshots =
    options.snapshotReads === 'secondary-preferred' ? { readPreference: 'secondaryPreferred' as const } : {};

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

  const raise = (mark: HighWaterMark) => bounded('raise high water', () => raiseHighWater(highWater, mark, inSession));

  return {
    ...reads,

    token: () => times.token,

    latestToken: async () => {
      if (!traits.causal) return '';
      // The health check is not a read: a deposed primary would answer a read, but no majority acknowledges its writes.
      const note = (session?: ClientSession) =>
        present.updateOne({ _id: 'present' }, { $inc: { times: 1 } }, { upsert: true, ...within(session) });
      await bounded('latest token', () => inSession(note));
      return times.token;
    },

    after: (token, use) =>
      readsOf({ ...common, inSession: times.after(token), ...(use === 'snapshot' ? snapshots : {}) }),

    async prepare(kinds: readonly KindStorage[]) {
      indexes.want(kinds);
    },

    unindexed: () => indexes.unindexed,

    save: async (documents, mark) => {
      // Documents are encoded now, because a lazy actor's state continues to change in place.
      const saves = documents.map((document) => [document.kind, encodable(document)] as const);
      if (mark) await raise(mark);
      return Promise.all(saves.map(([kind, encoded]) => (encoded === null ? 'unstorable' : saveOne(kind, encoded))));
    },

    purge: (kind, found) =>
      bounded('purge', () => purgeVersions(actorsOf(database, kind), found, writeBatch, inSession)),

    park: (parked) => bounded('park', () => insertDeadLetters(deadLetters, parked, writeBatch, inSession)),

    markReplayed: (id, atMs) => bounded('mark replayed', () => markReplayedAt(deadLetters, id, atMs, inSession)),

    markDiscarded: (id, discarded) =>
      bounded('mark discarded', () => markDiscardedBy(deadLetters, id, discarded, inSession)),

    highWater: (partition) => bounded('high water', () => readHighWater(highWater, partition, inSession)),

    raiseHighWater: raise,

    putIfAbsent: (name, value) =>
      bounded('put if absent', () =>
        putValueIfAbsent(settled, name, value, inSession, AbortSignal.timeout(requestTimeoutMs)),
      ),

    getValue: (name) => bounded('get value', async () => (await findValue(settled, name, inSession))?.value ?? null),

    withdraw: (name) => bounded('withdraw', () => withdrawValue(settled, name, inSession)),

    healthy: () =>
      withDeadline(Math.min(PING_TIMEOUT_MS, requestTimeoutMs), 'ping', () => database.command({ ping: 1 })).then(
        () => true,
        () => false,
      ),

    async close() {
      await indexes.close();
      await client.close();
    },
  };
}
