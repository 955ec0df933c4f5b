import type { Position } from './position.ts';
import type { StoreToken } from './store-token.ts';

/** The right to move a partition's cursor, until a higher epoch is given out. */
export interface Lease {
  readonly partition: number;
  readonly owner: string;
  /** Grows with every acquisition of the partition, by whomever. */
  readonly epoch: number;
}

export interface AcquiredPartition {
  readonly lease: Lease;
  /** The committed cursor: everything at or below it is covered by saved state. `0-0` when the log knows none. */
  readonly cursor: Position;
  /** The highest position ever given out. */
  readonly last: Position;
  /** What the last owner noted, '' when nothing. */
  readonly note: string;
}

/**
 * What a member says of itself with each heartbeat. `doubtful`: its store does not answer it, and it holds what it has until it is
 * known whether others fare better. `unfit`: others do; it hands over and is given nothing.
 */
export interface MemberCondition {
  readonly fitness: 'fit' | 'doubtful' | 'unfit';
  /** The partitions that it cannot hold for now, though it is well otherwise. */
  readonly declines: readonly number[];
}

export interface Member {
  readonly name: string;
  /** What it said last; null of a member of an older release, which says nothing. */
  readonly condition: MemberCondition | null;
  /** It lives for so long unless it says so again. */
  readonly leftMs: number;
}

/**
 * Who reads which partition. Expiry is judged by the log's clock. A lease is a hint for efficiency; what makes a stale
 * owner harmless is the epoch check here and the version check in the store.
 * All methods reject with `LogUnavailable` when the log cannot be reached (outcome unknown).
 */
export interface LeaseTable {
  /**
   * Says that `member` lives for `ttlMs` more, and how it is. Resolves with all living members, sorted by name, itself included.
   * To older releases, which know nothing of conditions, a member that is unfit does not live.
   */
  heartbeat(member: string, ttlMs: number, condition: MemberCondition): Promise<Member[]>;
  /** Forgets `member` at once. */
  leave(member: string): Promise<void>;

  /** Takes each partition that is free, expired or already `owner`'s, each with a new epoch. Others are left out. */
  acquire(partitions: readonly number[], owner: string, ttlMs: number): Promise<AcquiredPartition[]>;
  /** Prolongs; resolves with those leases that are still held under their epoch. */
  renew(leases: readonly Lease[], ttlMs: number): Promise<Lease[]>;
  /** Frees a lease if its epoch still holds. */
  release(lease: Lease): Promise<void>;

  /** The committed cursor of each, in that order, `0-0` where none was; whoever owns them. Durable ones only. */
  cursors(partitions: readonly number[]): Promise<Position[]>;
  /**
   * One atomic step: if the epoch still holds, moves the cursor (never back) and trims entries at or below it.
   * False when the epoch is stale; nothing changed then. The token is kept beside the cursor and as durable, unless a newer one is.
   */
  commit(lease: Lease, cursor: Position, token?: StoreToken): Promise<boolean>;
  /** The token that stands beside each cursor, in that order: '' where none does. Durable ones only. */
  tokens(partitions: readonly number[]): Promise<StoreToken[]>;
  /** If the epoch holds: keeps `note` (≤ 1 KB) beside the cursor, durable. False when stale. */
  note(lease: Lease, note: string): Promise<boolean>;
  /**
   * If the epoch holds: makes sure that positions given out from now on are above `position`, and that the cursor is
   * not above the log's last position. False when stale.
   */
  raise(lease: Lease, position: Position): Promise<boolean>;
}
