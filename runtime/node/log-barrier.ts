import { pause } from '../../async/pause.ts';
import type { Clock } from '../ports/clock.ts';
import type { LeaseTable } from '../ports/leases.ts';
import type { MessageLog, PartitionTail } from '../ports/log.ts';
import { comparePositions, type Position } from '../ports/position.ts';
import { newestToken, type StoreToken } from '../ports/store-token.ts';

/**
 * The number of rounds. Every impression goes through an impression rollup into ledgers: first what was in the log must
 * be covered, and then what it caused.
 */
const ROUNDS = 2;
const LOOK_MS = 100;
/** A partition that waits for longer than this may have nothing to wait for; see {@link emptied}. */
const EMPTY_CHECK_AFTER_MS = 1_000;

/** A partition whose owner has not yet saved what the log held when the round began. */
export interface LaggingPartition {
  readonly partition: number;
  readonly sinceMs: number;
}

export interface BarrierOptions {
  readonly log: MessageLog;
  readonly leases: LeaseTable;
  readonly clock: Clock;
  /** An abort ends the wait: the promise rejects with its reason. */
  readonly signal: AbortSignal;
  /**
   * Called at each check with the partitions that hold the barrier up, and at the end with none. `sinceMs` is a time of
   * `clock.monotonic`.
   */
  readonly onWaiting?: (waiting: readonly LaggingPartition[]) => void;
}

/** The result of a passed barrier. */
export interface BarrierResult {
  /**
   * Everything that was appended to any partition before this instant of the log's clock is in saved state, and so are
   * the messages that it caused for other actors, one actor on. ms since the epoch.
   */
  readonly throughMs: number;
  /**
   * Nothing that had been appended when the barrier began has a position of a later instant, ms since the epoch. It is
   * after `throughMs` where the log's clock was set back, as by a failover: a partition goes on from its latest
   * position.
   */
  readonly latestMs: number;
  /** Law 12: a token of the store with these states. Reads that rely on the barrier are made after it. */
  readonly token: StoreToken;
  /** The number of entries ever appended to all partitions at that time. */
  readonly appended: number;
}

/**
 * Waits until everything that the log holds now is covered, whichever processes own its partitions: reads the end of
 * each partition and waits for every committed cursor to reach it. A cursor moves only when states are saved and what
 * they caused is in the log, so a second round, from the ends of the partitions then, covers that too.
 *
 * A partition without an owner, or with an owner that makes no progress, keeps the barrier waiting. Rejects with
 * `LogUnavailable` when the log cannot be reached; starting again loses nothing.
 */
export async function passBarrier(options: BarrierOptions): Promise<BarrierResult> {
  const { log } = options;
  let passed: Omit<BarrierResult, 'token'> | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const tails = await Promise.all(Array.from({ length: log.partitions }, (_, partition) => log.tail(partition)));
    passed ??= {
      throughMs: Math.min(...tails.map(({ nowMs }) => nowMs)),
      latestMs: Math.max(...tails.map(({ nowMs }) => nowMs)),
      appended: tails.reduce((sum, { appended }) => sum + appended, 0),
    };
    await whenCovered(tails, options);
  }
  // The tokens of all partitions are read, including those that had nothing left to cover.
  const tokens = await options.leases.tokens(Array.from({ length: log.partitions }, (_, partition) => partition));
  return { ...passed!, token: newestToken(tokens) };
}

async function whenCovered(tails: readonly PartitionTail[], options: BarrierOptions): Promise<void> {
  const { leases, clock, signal, onWaiting } = options;
  const sinceMs = clock.monotonic();
  // In an empty partition everything is covered, because only a moving cursor trims, or there was nothing to cover.
  let waiting = [...tails.keys()].filter((partition) => tails[partition]!.length > 0);
  while (waiting.length > 0) {
    signal.throwIfAborted();
    const cursors = await leases.cursors(waiting);
    const behind = new Map<number, Position>();
    for (const [at, partition] of waiting.entries()) {
      if (comparePositions(cursors[at]!, tails[partition]!.last) < 0) behind.set(partition, cursors[at]!);
    }
    if (behind.size > 0 && clock.monotonic() - sinceMs >= EMPTY_CHECK_AFTER_MS)
      await emptied(behind, tails, options.log);
    waiting = [...behind.keys()];
    onWaiting?.(waiting.map((partition) => ({ partition, sinceMs })));
    if (waiting.length > 0) await pause(clock, LOOK_MS, signal);
  }
}

/**
 * Removes partitions that have no entry left before their end: a log that was lost is raised to positions that no entry
 * ever had.
 */
async function emptied(behind: Map<number, Position>, tails: readonly PartitionTail[], log: MessageLog): Promise<void> {
  const next = await log.read(behind, 1, 0);
  for (const partition of behind.keys()) {
    const entry = next.get(partition)?.[0];
    if (entry === undefined || comparePositions(entry.position, tails[partition]!.last) > 0) behind.delete(partition);
  }
}
