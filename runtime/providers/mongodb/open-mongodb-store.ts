import { type ClientSession, MongoClient, type MongoClientOptions } from 'mongodb';
import type { ActorDocument, HighWaterMark, KindStorage, SaveOutcome, StateStore } from '../../ports/store.ts';
import { CausalTimes } from './causal-times.ts';
import { type DeadLetterAtRest, insertDeadLetters } from './dead-letters.ts';
import { actorsOf, type DocumentAtRest, documentToRest } from './document-at-rest.ts';
import { IndexBuilder, type ReportIndexes } from './index-builder.ts';
import { type MarkAtRest, type NamedValue, putValueIfAbsent, raiseHighWater, readHighWater } from './marks.ts';
import { databaseNamedBy } from './names.ts';
import { purgeVersions } from './purge.ts';
import { readsOf } from './reads.ts';
import { SaveQueue } from './save-queue.ts';
import { readServerTraits } from './server-traits.ts';
import { withDeadline } from './with-deadline.ts';
import { writeSaves } from './write-saves.ts';

type SnapshotReads = 'primary' | 'secondary-preferred';

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
  /** Where whole snapshots of the catalogue are read. Default: the primary, where all else is. */
  readonly snapshotReads?: SnapshotReads;
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
      // Each write of ours is of one document, and a repetition is known by its transaction's number: retried once after an election.
      retryWrites: true,
      retryReads: true,
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
  const queue = new SaveQueue(limits, (kind, saves) => writeSaves(actorsOf(database, kind), saves, requestTimeoutMs));

  const times = new CausalTimes(client, traits.causal);
  const common = { database, deadLetters, timeoutMs: requestTimeoutMs, pages };
  const inSession = times.after('');
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

  const raise = ({ partition, position }: HighWaterMark) =>
    bounded('raise high water', () => raiseHighWater(highWater, partition, position));

  return {
    ...reads,

    token: () => times.token,

    latestToken: async () => {
      if (!traits.causal) return '';
      // Not a read: a primary that is none any more would answer that, and no majority hears what it writes.
      const note = (session?: ClientSession) =>
        present.updateOne({ _id: 'present' }, { $inc: { times: 1 } }, { upsert: true, ...(session && { session }) });
      await bounded('present', () => inSession(note));
      return times.token;
    },

    after: (token, use) =>
      readsOf({ ...common, inSession: times.after(token), ...(use === 'snapshot' ? snapshots : {}) }),

    async prepare(kinds: readonly KindStorage[]) {
      indexes.want(kinds);
    },

    unindexed: () => indexes.unindexed,

    save: async (documents, mark) => {
      // Encoded now: a lazy actor's state goes on changing in place.
      const saves = documents.map((document) => [document.kind, encodable(document)] as const);
      if (mark) await raise(mark);
      return Promise.all(saves.map(([kind, encoded]) => (encoded === null ? 'unstorable' : saveOne(kind, encoded))));
    },

    purge: (kind, found) => bounded('purge', () => purgeVersions(actorsOf(database, kind), found, writeBatch)),

    park: (letters) => bounded('park', () => insertDeadLetters(deadLetters, letters, writeBatch, inSession)),

    markReplayed: (id, atMs) =>
      bounded('mark replayed', async () => {
        await deadLetters.updateOne({ _id: id }, { $set: { replayedAtMs: atMs } });
      }),

    markDiscarded: (id, { atMs, by, why }) =>
      bounded('mark discarded', async () => {
        const discarded = { atMs, by, why };
        await deadLetters.updateOne({ _id: id, discarded: { $exists: false } }, { $set: { discarded } });
      }),

    highWater: (partition) =>
      bounded('high water', () => inSession((session) => readHighWater(highWater, partition, session))),

    raiseHighWater: (partition, position) => raise({ partition, position }),

    putIfAbsent: (name, value) =>
      bounded('settle', () => putValueIfAbsent(settled, name, value, AbortSignal.timeout(requestTimeoutMs))),

    getValue: (name) => bounded('settled', async () => (await settled.findOne({ _id: name }))?.value ?? null),

    withdraw: (name) =>
      bounded('withdraw', async () => {
        await settled.updateOne({ _id: name }, { $set: { value: null } }, { upsert: true });
      }),

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
