import type { Position } from './position.ts';
import type { StoreToken } from './store-token.ts';

/** A message that a saved state caused and that is still to be published. */
export interface OutboxMessage {
  readonly to: string;
  readonly type: string;
  readonly body: unknown;
  /** (cause position, index): what receivers recognise a repetition by. */
  readonly sequence: string;
}

/** The answer to a request, kept so that the same request asked again gets the same answer. */
export interface CachedReply {
  readonly payload: unknown;
  /** By the log's clock, ms since the epoch. */
  readonly keepUntilMs: number;
}

/** The last sequence that an actor has had from one sender. */
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
  /** 1 at the first save, then one more with each. */
  readonly version: number;
  /** Names the save that wrote this version, so that a writer can tell its own from another's. */
  readonly writer: string;
  /** The log position that `state` reflects: messages at or below it have been handled. */
  readonly position: Position;
  /** Version of the state's schema. */
  readonly schema: number;
  /** A tombstone: `state` is null. */
  readonly deleted: boolean;
  readonly state: unknown;
  readonly outbox: readonly OutboxMessage[];
  /** True when the catalogue may not have been told of this version's view yet. */
  readonly viewPending: boolean;
  readonly received: Readonly<Record<string, ReceivedSequence>>;
  readonly replies: Readonly<Record<string, CachedReply>>;
  /** Lazy kinds: up to where totals have been published; null when never. */
  readonly published: Position | null;
}

export interface ActorKey {
  readonly kind: string;
  readonly id: string;
}

/** A document by name, as it was when it was found. */
export interface FoundDocument {
  readonly id: string;
  readonly version: number;
}

/**
 * `conflict`: another version stands there. `unstorable`: nothing was written, and no document with this content ever can be,
 * however often it is tried: it is larger than {@link MAX_DOCUMENT_BYTES}, or cannot be encoded.
 */
export type SaveOutcome = 'saved' | 'conflict' | 'unstorable';

/** As a provider encodes it. MongoDB takes no more; so that data of one store fit in another, none does. */
export const MAX_DOCUMENT_BYTES = 16 * 1_048_576;

/** That a message is never to be handled, as somebody has decided. */
export interface DiscardDecision {
  readonly atMs: number;
  /** Who has decided it, and why: for people. */
  readonly by: string;
  readonly why: string;
}

/** A message that no reducer could handle. */
export interface DeadLetter {
  /** `<partition>:<position>`: parking twice is once. */
  readonly id: string;
  readonly partition: number;
  readonly position: Position;
  readonly to: string;
  readonly type: string;
  readonly payload: string;
  readonly reason: string;
  readonly parkedAtMs: number;
  readonly replayedAtMs: number | null;
  /** Absent unless it was discarded: then it was not replayed, and never is. */
  readonly discarded?: DiscardDecision;
}

export type Scalar = string | number | boolean | null;

/** A scalar, or a comparison. Dates are ISO strings, which compare as strings. Fields are paths below `state`. */
export type Condition =
  | Scalar
  | { in: readonly (string | number | null)[] }
  | { gte?: string | number; lt?: string | number }
  | { not: string | number | boolean | null }
  /** Text that has this part, whatever the case of its letters from a to z; for all other characters as they are. */
  | { contains: string };

export interface Query {
  /**
   * All must hold. A path leads into every element of an array: a condition holds when it does for any of them, `not`
   * when none is equal. An empty array leads to nothing: nothing in it equals anything, not even null, and `not` holds.
   * Absent equals null, but not below the elements of an array: there databases differ, so null is not to be asked for.
   */
  readonly where?: Readonly<Record<string, Condition>>;
  /** A path below `state` that leads into no array, or `id`; ties by id. */
  readonly orderBy?: string;
  readonly descending?: boolean;
  readonly skip?: number;
  readonly limit?: number;
}

export interface QueryResult {
  readonly documents: ActorDocument[];
  /** How many match, whatever `skip` and `limit`. */
  readonly total: number;
}

/** Where a walk through a kind goes on. */
export interface Page {
  /** As in a {@link Query}. */
  readonly where?: Query['where'];
  /** The last id of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** Ids between two, and how many of them. */
export interface IdRange {
  /** Not this one; empty for the first of all. */
  readonly after: string;
  /** Not this one; absent for the last of all. */
  readonly below?: string;
  readonly limit: number;
}

/** A partition's high-water mark, as it must stand before states that it covers are written. */
export interface HighWaterMark {
  readonly partition: number;
  readonly position: Position;
}

/** How many documents, by a value that they have. */
export type Counts = ReadonlyMap<Exclude<Scalar, null>, number>;

/** How a kind is stored: one collection each, with indexes on paths below `state`. */
export interface KindStorage {
  readonly kind: string;
  readonly indexes: readonly string[];
}

/** What can be read of a store. */
export type StateReads = Pick<
  StateStore,
  'load' | 'query' | 'page' | 'countBy' | 'find' | 'idsBetween' | 'tombstones' | 'scan' | 'deadLetters' | 'deadLetter'
>;

/**
 * The state store: one document per actor, compare and set on its version.
 * Every method rejects with `StoreUnavailable` when the store cannot be reached or does not answer within the
 * provider's deadline; a save's outcome is then unknown, and it may still take effect later. Scans, loads and saves go in parts,
 * and each has the deadline to itself: how much is asked for is no reason to fail.
 */
export interface StateStore {
  /** Says which kinds there are. Indexes that are missing may be made beside serving; see `unindexed`. Idempotent. */
  prepare(kinds: readonly KindStorage[]): Promise<void>;

  /** Kinds whose indexes are not all there yet: until they are, what is asked of them is answered, and slower. */
  unindexed(): readonly string[];

  /**
   * In the order of the keys; null where there is none. Reads what was last acknowledged (read your writes).
   *
   * With `fields`, states may come without any but these of their fields, and outbox, received and replies empty: for whoever reads
   * a little of large states. Such a document must not be saved.
   */
  load(keys: readonly ActorKey[], fields?: readonly string[]): Promise<(ActorDocument | null)[]>;

  /**
   * For each document on its own, atomically: writes it if the stored version is `version - 1` (0: absent).
   * Resolves, durable (majority, journaled), with each outcome in order. A document whose write went through counts as
   * `saved` even when the answer to it was lost and it was found by reading its writer back. One that is `unstorable` keeps no
   * other of the same call from being saved; another version may stand in its place as well.
   *
   * With a `mark`, that partition's high-water mark is raised to it first (never lowered): no document is written before
   * the mark is durable, unless both become so in one atomic step. The mark may stand when the save fails.
   */
  save(documents: readonly ActorDocument[], mark?: HighWaterMark): Promise<SaveOutcome[]>;

  /** Tombstones are left out. */
  query(kind: string, query: Query): Promise<QueryResult>;

  /**
   * How many documents match, for each value at `path` that any of them has. The path leads to a scalar, or to an array
   * of scalars, each element of which counts; absent and null count nowhere. Tombstones are left out.
   */
  countBy(kind: string, path: string, where?: Query['where']): Promise<Counts>;

  /**
   * The next documents that match, by id in the store's own order; fewer than `limit` are the last. Tombstones are left out.
   *
   * For walks: nothing is counted, nothing that went before is passed by again, and what comes and goes meanwhile makes no other
   * document come twice or not at all.
   */
  page(kind: string, page: Page): Promise<ActorDocument[]>;

  /** As `query` finds them, without reading what they hold: at most `limit`, in its order. Tombstones are left out. */
  find(kind: string, query: Omit<Query, 'skip'> & { readonly limit: number }): Promise<FoundDocument[]>;

  /**
   * The first `limit` ids between two, in order: by code points, as UTF-8 sorts. Tombstones are left out.
   *
   * Costs what lies between, up to the limit, and keeps no index in memory: for kinds of very many documents, whose ids say what they
   * are looked for by. Such ids, and the bounds, have at most 500 characters and no control characters; other ids may be left out.
   */
  idsBetween(kind: string, range: IdRange): Promise<string[]>;

  /** Tombstones that reflect a position below `before`: at most `limit`, in no order. May read the whole kind. */
  tombstones(kind: string, before: Position, limit: number): Promise<FoundDocument[]>;

  /**
   * Deletes for good what was found before: each document on its own, atomically, and only if it still stands at that
   * version; what has changed since, or is gone already, is left as it is. Resolves, durable, with how many it deleted.
   *
   * Such an actor was never there: its position, what it had of its senders, its kept replies and its version are forgotten.
   * So this is for actors of kinds without views that nothing of old can reach any more, or that may begin anew when it does.
   */
  purge(kind: string, found: readonly FoundDocument[]): Promise<number>;

  /** Every document of a kind, tombstones too, in no order, each at a version no older than when the call began. */
  scan(kind: string): AsyncIterable<ActorDocument>;

  /** Durable when resolved; a letter whose id exists is left as it is. */
  park(letters: readonly DeadLetter[]): Promise<void>;
  deadLetters(options: { readonly limit: number; readonly after?: string }): Promise<DeadLetter[]>;
  deadLetter(id: string): Promise<DeadLetter | null>;
  markReplayed(id: string, atMs: number): Promise<void>;
  /** The first mark stands. Durable when resolved. */
  markDiscarded(id: string, discarded: DiscardDecision): Promise<void>;

  /** A position at or above every one that a saved state of this partition reflects; `0-0` when none. */
  highWater(partition: number): Promise<Position>;
  /** Raises it (never lowers). Durable when resolved. */
  raiseHighWater(partition: number, position: Position): Promise<void>;

  /** Keeps `value` under `name` unless something is kept there; resolves with what is kept. Durable. */
  putIfAbsent(name: string, value: string): Promise<string>;

  /** What is kept under `name`; null when nothing is, or when it was withdrawn. */
  getValue(name: string): Promise<string | null>;

  /** Erases what is kept under `name`; `settle` of that name throws `Withdrawn` from then on. Durable when resolved. */
  withdraw(name: string): Promise<void>;

  /**
   * Names all that has been answered here so far: what was saved or parked through this store, and what was read through it,
   * whoever had saved that. '' where no read anywhere can miss what was acknowledged before.
   */
  token(): StoreToken;

  /** A token of all that anybody had had acknowledged when the call began. */
  latestToken(): Promise<StoreToken>;

  /**
   * Reads that see at least what the token names, whichever server answers. (All others see at least what this store has answered
   * before.) A server that lags behind is waited for, up to the deadline. `snapshot`: they are many and may be spared the primary.
   */
  after(token: StoreToken, use?: 'snapshot'): StateReads;

  healthy(): Promise<boolean>;
  close(): Promise<void>;
}
