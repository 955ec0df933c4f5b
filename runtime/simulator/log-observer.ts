import type { Lease } from '../ports/leases.ts';
import type { LogEntry } from '../ports/log.ts';
import type { RelayedBatch } from '../ports/relayed.ts';
import type { PartitionState } from './partition-state.ts';

/** The log that a batch of another log comes to. */
export interface ReceivingLog {
  readonly nowMs: number;
  partition(number: number): PartitionState;
}

/** The events of the log for the checkers. */
export interface LogObserver {
  /** `source`: of another log, whose entries they were. */
  appended(partition: number, entries: readonly LogEntry[], source?: string): void;
  trimmed(partition: number, entries: readonly LogEntry[]): void;
  /** Entries that were not acknowledged and had not reached the disk when the server crashed. */
  unsynced?(partition: number, entries: readonly LogEntry[]): void;
  /** Entries that the server lost without a trim. */
  lost(partition: number, entries: readonly LogEntry[]): void;
  /** A batch of another log comes, before anything of it is taken. */
  relayed?(log: ReceivingLog, partition: number, source: string, batch: RelayedBatch): void;
  published(payloads: readonly string[]): void;
  /** A cursor was moved under a lease that is not the present one. */
  movedByStaleOwner(lease: Lease): void;
}

/** Observes nothing. */
export const NO_OBSERVER: LogObserver = {
  appended() {},
  trimmed() {},
  lost() {},
  published() {},
  movedByStaleOwner() {},
};
