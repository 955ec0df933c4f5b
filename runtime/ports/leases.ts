import type { Position } from './position.ts';
import type { StoreToken } from './store-token.ts';

/** The right to move a partition's cursor, until a higher epoch is granted. */
export interface Lease {
  readonly partition: number;
  readonly owner: string;
  /** Rises with every acquisition of the partition, by any owner. */
  readonly epoch: number;
}

export interface AcquiredPartition {
  readonly lease: Lease;
  /** The committed cursor: saved states cover everything at or below it. `0-0` when the log has none. */
  readonly cursor: Position;
  /** The highest position that was ever assigned. */
  readonly last: Position;
  /** The note of the last owner, '' when there is none. */
  readonly note: string;
}

/**
 * The condition that a member reports with each heartbeat. `doubtful`: its store does not answer, and it keeps its
 * partitions until it knows whether other members are fit. `unfit`: other members are fit; it hands its partitions over
 * and gets none.
 */
export interface MemberCondition {
  readonly fitness: 'fit' | 'doubtful' | 'unfit';
  /** The partitions that the member cannot hold for now, although it is otherwise fit. */
  readonly declines: readonly number[];
  /**
   * The number of calls that its store has answered, which rises several times a second; absent where a member does
   * not count them.
   */
  readonly answers?: number;
}

export interface Member {
  readonly name: string;
  /** The condition that the member reported last; null for a member of an older release, which reports none. */
  readonly condition: MemberCondition | null;
  /** The time until the member counts as dead unless it sends another heartbeat, ms. */
  readonly leftMs: number;
}

/**
 * The table of partition owners. The log's clock decides when a lease expires. A lease is only a hint for efficiency:
 * the epoch check here and the version check in the store make a stale owner harmless. All methods reject with
 * `LogUnavailable` when the log cannot be reached (outcome unknown).
 */
export interface LeaseTable {
  /**
   * Reports that `member` is alive for `ttlMs` more, and its condition. Resolves with all living members including
   * itself, sorted by name. Older releases do not know conditions; to them an unfit member is dead.
   */
  heartbeat(member: string, ttlMs: number, condition: MemberCondition): Promise<Member[]>;
  /** Forgets `member` at once. */
  leave(member: string): Promise<void>;

  /**
   * Acquires each partition that is free, expired or already owned by `owner`, each with a new epoch. Partitions that
   * others own are left out.
   */
  acquire(partitions: readonly number[], owner: string, ttlMs: number): Promise<AcquiredPartition[]>;
  /** Prolongs leases; resolves with those that still have their epoch. */
  renew(leases: readonly Lease[], ttlMs: number): Promise<Lease[]>;
  /** Frees a lease if its epoch still holds. */
  release(lease: Lease): Promise<void>;

  /**
   * The committed cursor of each partition in the given order, regardless of its owner; `0-0` where there is none. Only
   * durable cursors are returned.
   */
  cursors(partitions: readonly number[]): Promise<Position[]>;
  /**
   * In one atomic step, if the epoch still holds: moves the cursor (never back) and trims entries at or below it.
   * Resolves with false when the epoch is stale; nothing changed then. The token is stored beside the cursor with the
   * same durability, unless a newer token is there.
   */
  commit(lease: Lease, cursor: Position, token?: StoreToken): Promise<boolean>;
  /**
   * The store token beside each cursor in the given order, '' where there is none. Only durable tokens are returned.
   */
  tokens(partitions: readonly number[]): Promise<StoreToken[]>;
  /** If the epoch holds, stores `note` (≤ 1 KB) beside the cursor, durably. False when the epoch is stale. */
  note(lease: Lease, note: string): Promise<boolean>;
  /**
   * If the epoch holds: ensures that positions assigned from now on are above `position`, and that the cursor is not
   * above the log's last position. False when the epoch is stale.
   */
  raise(lease: Lease, position: Position): Promise<boolean>;
}
