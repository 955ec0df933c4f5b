import type { LogEntry } from '../../ports/log.ts';
import { comparePositions, type Position, START } from '../../ports/position.ts';
import { type LogObserver, NO_OBSERVER } from '../log-observer.ts';
import type { PartitionState } from '../partition-state.ts';

/** The history of one partition as reported to the observer: entries that are not trimmed, by position and payload. */
interface AcknowledgedPartition {
  readonly entries: Map<string, LogEntry>;
  trimmedTo: Position;
}

/**
 * Reports one history of the log to an observer, whichever server makes it: entries that one server had and its
 * successor has not were never acknowledged.
 */
export class AcknowledgedHistory {
  observer: LogObserver = NO_OBSERVER;
  readonly #partitions: readonly AcknowledgedPartition[];

  constructor(partitions: number) {
    this.#partitions = Array.from({ length: partitions }, () => ({ entries: new Map(), trimmedTo: START }));
  }

  /** As one of the servers tells it, for as long as its history stands. */
  of(stands: () => boolean): LogObserver {
    return {
      appended: (number, entries, source) => {
        if (stands()) this.#appended(number, entries, source);
      },
      trimmed: (number, entries) => {
        if (stands()) this.#trimmed(number, entries);
      },
      unsynced: (number, entries) => {
        if (stands()) this.#gone(number, entries);
      },
      lost: (number, entries) => this.observer.lost(number, entries),
      // Whether its history stands is known only when it has answered.
      relayed: (server, number, source, batch) => this.observer.relayed?.(server, number, source, batch),
      published: (payloads) => this.observer.published(payloads),
      movedByStaleOwner: (lease) => this.observer.movedByStaleOwner(lease),
    };
  }

  /** Continues with the history of another server. */
  continueWith(partitions: readonly PartitionState[]): void {
    for (const { partition: number, entries, cursor } of partitions) {
      const told = this.#partitions[number] as AcknowledgedPartition;
      const held = new Set(entries.map(nameOf));
      const gone = [...told.entries.values()].filter((entry) => !held.has(nameOf(entry)));
      const isAfter = (position: Position) => (entry: LogEntry) => comparePositions(entry.position, position) > 0;
      const come = entries.filter((entry) => !told.entries.has(nameOf(entry))).filter(isAfter(told.trimmedTo));
      this.#gone(number, gone.filter(isAfter(cursor)));
      if (come.length > 0) this.#appended(number, come);
    }
  }

  #appended(number: number, entries: readonly LogEntry[], source?: string): void {
    const told = this.#partitions[number] as AcknowledgedPartition;
    for (const entry of entries) told.entries.set(nameOf(entry), entry);
    this.observer.appended(number, entries, source);
  }

  #trimmed(number: number, entries: readonly LogEntry[]): void {
    const told = this.#partitions[number] as AcknowledgedPartition;
    for (const entry of entries) told.entries.delete(nameOf(entry));
    const last = entries.at(-1)?.position ?? START;
    // Where a server that had trimmed more gave way to one that had not, the same is trimmed again.
    if (comparePositions(last, told.trimmedTo) > 0) told.trimmedTo = last;
    this.observer.trimmed(number, entries);
  }

  #gone(number: number, entries: readonly LogEntry[]): void {
    if (entries.length === 0) return;
    const told = this.#partitions[number] as AcknowledgedPartition;
    for (const entry of entries) told.entries.delete(nameOf(entry));
    this.observer.unsynced?.(number, entries);
  }
}

/**
 * Identifies an entry by position and payload, because a position that one server lost may be assigned to another entry
 * by the next.
 */
export function nameOf({ position, payload }: LogEntry): string {
  return `${position} ${payload}`;
}
