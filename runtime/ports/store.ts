import type { Position } from './position.ts';
import type { StoreToken } from './store-token.ts';

/** A message that a saved state caused and that is still to be published. */
export interface OutboxMessage {
  readonly to: string;
  readonly type: string;
  readonly body: unknown;
  /** The position of the cause and an index. Receivers recognise a repetition by it. */
  readonly sequence: string;
}

/** The cached reply of a request, so that a repetition of the request gets the same reply. */
export interface CachedReply {
  readonly payload: unknown;
  /** The end of the reply's time in the cache, by the log's clock, ms since the epoch. */
  readonly keepUntilMs: number;
}

/** The last sequence that an actor received from one sender. */
export interface ReceivedSequence {
  readonly sequence: string;
  /** Log time of that message, ms since the epoch. */
  readonly atMs: number;
}

/** One actor's state at rest. */
export interface ActorDocument {
  readonly kind: string;
  readonly id: string;
  readonly partition: number;
  /** 1 at the first save; each save adds 1. */
  readonly version: number;
  /** The name of the save that wrote this version, so that a writer recognises its own saves. */
  readonly writer: string;
  /** The log position that `state` reflects: messages at or below it have been handled. */
  readonly position: Position;
  /** Version of the state's schema. */
  readonly schema: number;
  /** True for a tombstone, whose `state` is null. */
  readonly deleted: boolean;
  readonly state: unknown;
  readonly outbox: readonly OutboxMessage[];
  /** True when this version's projection may not be in the catalogue yet. */
  readonly viewPending: boolean;
  readonly received: Readonly<Record<string, ReceivedSequence>>;
  readonly replies: Readonly<Record<string, CachedReply>>;
  /** Lazy kinds: the position up to which totals have been published; null for never. */
  readonly published: Position | null;
}

export interface ActorKey {
  readonly kind: string;
  readonly id: string;
}

/** The id and version of a document when it was found. */
export interface FoundDocument {
  readonly id: string;
  readonly version: number;
}

/**
 * The outcome of one save. `conflict`: the store has another version. `unstorable`: nothing was written, and no retry
 * can store a document with this content: it is larger than {@link MAX_DOCUMENT_BYTES}, or cannot be encoded.
 */
export type SaveOutcome = 'saved' | 'conflict' | 'unstorable';

/**
 * Upper bound of a document as its provider encodes it. It is MongoDB's limit, and applies to every provider so that
 * the data of one store fit in another.
 */
export const MAX_DOCUMENT_BYTES = 16 * 1_048_576;

/** The decision of an operator that a message is never handled. */
export interface DiscardDecision {
  readonly atMs: number;
  /** The operator who decided, and the reason; both are for people to read. */
  readonly by: string;
  readonly why: string;
}

/** A message that no reducer could handle. */
export interface DeadLetter {
  /** `<partition>:<position>`, so that a message that is parked twice is one dead letter. */
  readonly id: string;
  readonly partition: number;
  readonly position: Position;
  readonly to: string;
  readonly type: string;
  readonly payload: string;
  readonly reason: string;
  readonly parkedAtMs: number;
  readonly replayedAtMs: number | null;
  /** Present only if the message was discarded: then it was not replayed, and never is. */
  readonly discarded?: DiscardDecision;
}

export type Scalar = string | number | boolean | null;

/**
 * A condition on one field: equality with a scalar, or a comparison. Dates are ISO strings, which compare as strings.
 * Fields are paths below `state`.
 */
export type Condition =
  | Scalar
  | { in: readonly (string | number | null)[] }
  | { gte?: string | number; lt?: string | number }
  | { not: string | number | boolean | null }
  /** The text contains this part. The letters a to z are compared without case, all other characters exactly. */
  | { contains: string };

export interface Query {
  /**
   * All conditions must hold. A path leads into every element of an array: a condition holds when it holds for any
   * element, `not` when no element is equal. For an empty array every equality is false, even with null, and `not`
   * holds. An absent field equals null. Below the elements of an array databases differ about absent fields, so null
   * must not be queried there.
   */
  readonly where?: Readonly<Record<string, Condition>>;
  /** A path below `state` that does not lead into an array, or `id`. Ties are ordered by id. */
  readonly orderBy?: string;
  readonly descending?: boolean;
  readonly skip?: number;
  readonly limit?: number;
}

export interface QueryResult {
  readonly documents: ActorDocument[];
  /** The number of matching documents, regardless of `skip` and `limit`. */
  readonly total: number;
}

/** One page of a walk through the documents of a kind. */
export interface Page {
  /** As in a {@link Query}. */
  readonly where?: Query['where'];
  /** The last id of the previous page; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** A range of ids with a limit. */
export interface IdRange {
  /** The exclusive lower bound; empty for no lower bound. */
  readonly after: string;
  /** The exclusive upper bound; absent for no upper bound. */
  readonly below?: string;
  readonly limit: number;
}

/** A partition of one of the logs whose actors the store has. */
export interface MarkedPartition {
  readonly partition: number;
  /** The log's name, in lower-case letters; absent: the log with the money. */
  readonly log?: string;
}

/** A partition's high-water mark, which must be stored before the states that it covers. */
export interface HighWaterMark extends MarkedPartition {
  readonly position: Position;
}

/** The number of documents for each value of a field. */
export type Counts = ReadonlyMap<Exclude<Scalar, null>, number>;

/** The storage of one kind: one collection, with indexes on paths below `state`. */
export interface KindStorage {
  readonly kind: string;
  readonly indexes: readonly string[];
}

/** The read methods of a store. */
export type StateReads = Pick<
  StateStore,
  | 'load'
  | 'query'
  | 'page'
  | 'countBy'
  | 'find'
  | 'idsBetween'
  | 'tombstones'
  | 'scan'
  | 'versions'
  | 'deadLetters'
  | 'deadLetter'
>;

/**
 * The state store: one document per actor, written by compare and set on its version.
 *
 * Every method rejects with `StoreUnavailable` when the store cannot be reached or does not answer within the
 * provider's deadline; the outcome of a save is then unknown, and it may still take effect later. Scans, loads and
 * saves are split into parts, and each part has its own deadline, so the size of a call is no reason for it to fail.
 */
export interface StateStore {
  /** Declares the kinds. Missing indexes may be built while the store serves; see `unindexed`. Idempotent. */
  prepare(kinds: readonly KindStorage[]): Promise<void>;

  /** The kinds whose indexes are not complete yet. Queries of these kinds are answered, but slower. */
  unindexed(): readonly string[];

  /**
   * Loads documents in the order of the keys; null where there is none. Reads what was acknowledged last (read your
   * writes).
   *
   * With `fields`, states may contain only these of their fields, and outbox, received and replies may be empty: for
   * callers that read a little of large states. Such a document must not be saved.
   */
  load(keys: readonly ActorKey[], fields?: readonly string[]): Promise<(ActorDocument | null)[]>;

  /**
   * For each document on its own, atomically: writes it if the stored version is `version - 1` (0: absent). Resolves,
   * durable (majority, journaled), with the outcomes in order. A document whose write went through counts as `saved`
   * even when the response was lost and the write was found by reading its writer back. An `unstorable` document does
   * not keep other documents of the call from being saved; the store may also hold another version of it.
   *
   * With a `mark`, the partition's high-water mark is raised to it first (never lowered): no document is written before
   * the mark is durable, unless both become durable in one atomic step. The mark may remain when the save fails.
   */
  save(documents: readonly ActorDocument[], mark?: HighWaterMark): Promise<SaveOutcome[]>;

  /** Tombstones are left out. */
  query(kind: string, query: Query): Promise<QueryResult>;

  /**
   * Counts the documents that match, for each value at `path`. The path leads to a scalar, or to an array of scalars,
   * each element of which counts; absent and null are not counted. Tombstones are left out.
   */
  countBy(kind: string, path: string, where?: Query['where']): Promise<Counts>;

  /**
   * The next documents that match, by id in the store's own order. A page with fewer than `limit` documents is the
   * last. Tombstones are left out.
   *
   * For walks: nothing is counted, earlier pages are not read again, and documents that are added or deleted meanwhile
   * never make another document appear twice or be missed.
   */
  page(kind: string, page: Page): Promise<ActorDocument[]>;

  /**
   * Finds the same documents as `query` without reading their content: at most `limit`, in the order of the query.
   * Tombstones are left out.
   */
  find(kind: string, query: Omit<Query, 'skip'> & { readonly limit: number }): Promise<FoundDocument[]>;

  /**
   * The first `limit` ids of a range, ordered by code points, as UTF-8 sorts. Tombstones are left out.
   *
   * The cost is proportional to the number of ids in the range, up to the limit, and needs no index in memory: for
   * kinds with very many documents whose ids contain what they are searched by. Such ids, and the bounds, have at most
   * 500 characters and no control characters; other ids may be left out.
   */
  idsBetween(kind: string, range: IdRange): Promise<string[]>;

  /** Tombstones whose position is below `before`: at most `limit`, in no order. May read the whole kind. */
  tombstones(kind: string, before: Position, limit: number): Promise<FoundDocument[]>;

  /**
   * Permanently deletes documents that were found before: each one on its own, atomically, and only if it still has
   * that version. Documents that have changed since, or are gone, are left alone. Resolves, durable, with the number of
   * deleted documents.
   *
   * A purged actor is forgotten completely: its position, received sequences, cached replies and version are lost. So
   * purge is for actors of kinds without projections that no old message can reach any more, or that may begin anew
   * when one does.
   */
  purge(kind: string, found: readonly FoundDocument[]): Promise<number>;

  /**
   * Every document of a kind, including tombstones, in no order. Each one has a version no older than when the call
   * began.
   */
  scan(kind: string): AsyncIterable<ActorDocument>;

  /**
   * The id and version of every document of a kind, including tombstones: what `scan` would find, in parts of at most a
   * few thousand, without the contents. For readers that know most documents already.
   */
  versions(kind: string): AsyncIterable<readonly FoundDocument[]>;

  /** Stores dead letters, durable when resolved. A dead letter whose id exists is left unchanged. */
  park(deadLetters: readonly DeadLetter[]): Promise<void>;
  deadLetters(options: { readonly limit: number; readonly after?: string }): Promise<DeadLetter[]>;
  deadLetter(id: string): Promise<DeadLetter | null>;
  markReplayed(id: string, atMs: number): Promise<void>;
  /** The first mark stands. Durable when resolved. */
  markDiscarded(id: string, discarded: DiscardDecision): Promise<void>;

  /**
   * A position at or above that of every saved state of this partition; `0-0` when there is none. The positions of two
   * logs have nothing to do with each other, so each log has marks of its own.
   */
  highWater(partition: MarkedPartition): Promise<Position>;
  /** Raises the high-water mark (never lowers it). Durable when resolved. */
  raiseHighWater(mark: HighWaterMark): Promise<void>;

  /** Stores `value` under `name` unless that name has a value; resolves with the stored value. Durable. */
  putIfAbsent(name: string, value: string): Promise<string>;

  /** The value stored under `name`; null when there is none, or when it was withdrawn. */
  getValue(name: string): Promise<string | null>;

  /**
   * Erases the value of `name`, or takes the name when it has none; `putIfAbsent` of that name rejects with `Withdrawn`
   * from then on. Release 0.4, which does not know withdrawal, fails at its start instead of using another value.
   * Durable when resolved.
   */
  withdraw(name: string): Promise<void>;

  /**
   * A token of everything acknowledged through this store object so far: what was saved or parked through it, and what
   * was read through it, by whichever process it was saved. '' where no read can miss what was acknowledged before.
   */
  token(): StoreToken;

  /** A token of everything that was acknowledged to any process when the call began. */
  latestToken(): Promise<StoreToken>;

  /**
   * Reads that see at least what the token covers, whichever server answers. (All other reads see at least what this
   * store object has acknowledged before.) The read waits for a server that lags behind, up to the deadline.
   * `snapshot`: the reads are many and may be kept away from the primary.
   */
  after(token: StoreToken, use?: 'snapshot'): StateReads;

  healthy(): Promise<boolean>;
  close(): Promise<void>;
}
