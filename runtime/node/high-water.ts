import type { AcquiredPartition } from '../ports/leases.ts';
import type { LogEntry, PartitionTail } from '../ports/log.ts';
import { comparePositions, positionOf, positionTimeMs, START } from '../ports/position.ts';
import type { HighWaterMark } from '../ports/store.ts';
import { raiseAlarm } from './alarm.ts';
import type { NodeDeps } from './node-deps.ts';
import { StaleLease } from './session-end.ts';

/**
 * Law 9: what if the log is behind the store? The store keeps, for each partition, a mark at or above every position that
 * a saved state reflects. A log that was lost and made anew is raised above it, or what comes after would be skipped.
 */
export class HighWater {
  readonly #deps: NodeDeps;
  readonly #acquired: AcquiredPartition;
  #mark = START;
  #appended = 0;
  /** The log is younger than the cursor: what it holds up to here nobody has handled. */
  #unhandledBelow = START;

  constructor(parts: NodeDeps, acquired: AcquiredPartition) {
    this.#deps = parts;
    this.#acquired = acquired;
  }

  /** Compares log and store at the beginning of an ownership; answers after which position to read. */
  async begin(): Promise<string> {
    const { provider, store, brokenLaws } = this.#deps;
    const { lease, cursor, last } = this.#acquired;
    this.#mark = await store.highWater(lease.partition);
    const younger = comparePositions(cursor, last) > 0;
    if (younger || (await (cursor === START ? this.#lostAll() : this.#madeAnew()))) {
      const reflected = `saved state may reflect up to ${this.#mark}, the cursor stood at ${cursor}`;
      this.#alarm('log-behind-store', `the log ends at ${last}; ${reflected}: what was unread between is lost`);
    }
    const mark = younger && comparePositions(cursor, this.#mark) > 0 ? cursor : this.#mark;
    if (comparePositions(mark, last) <= 0 || brokenLaws.has('raise-behind-log')) return cursor;
    if (!(await provider.leases.raise(lease, mark))) throw new StaleLease('raise');
    if (!younger) return cursor;
    this.#unhandledBelow = mark;
    return START;
  }

  /** Nothing was ever committed, and yet states reflect what is not there: an owner's note, or the log's beginning. */
  async #lostAll(): Promise<boolean> {
    if (this.#mark === START) return false;
    // Whoever saved anything had noted his ownership before.
    if (this.#acquired.note === '') return true;
    const { partition } = this.#acquired.lease;
    const read = await this.#deps.provider.log.read(new Map([[partition, START]]), 1, 0);
    const first = read.get(partition)?.[0];
    return !first || comparePositions(first.position, this.#mark) > 0;
  }

  /** The cursor says that entries were trimmed, and yet the log still has every entry that it ever took. */
  async #madeAnew(): Promise<boolean> {
    const { length, appended } = await this.#deps.provider.log.tail(this.#acquired.lease.partition);
    this.#appended = appended;
    // An empty one was raised by an earlier owner, whose alarm has named the loss.
    return length > 0 && length === appended;
  }

  /**
   * What stands in a younger log at or below the mark, actors would skip there: it is appended again, above. (A crash
   * between the steps leaves some of it behind: the alarm has named it.) Answers the rest.
   */
  async appendAgain(entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
    if (this.#unhandledBelow === START) return entries;
    const below = entries.filter(({ position }) => comparePositions(position, this.#unhandledBelow) <= 0);
    if (below.length > 0) {
      const payloads = below.map(({ payload }) => payload);
      await this.#deps.provider.log.append(this.#acquired.lease.partition, payloads);
    }
    return entries.slice(below.length);
  }

  /**
   * What a save of states that reflect up to `position` must raise the mark to; undefined when it stands high enough. It
   * runs ahead, so that few saves raise it.
   */
  toCover(position: string): HighWaterMark | undefined {
    if (comparePositions(position, this.#mark) <= 0) return undefined;
    const ahead = positionOf(positionTimeMs(position) + this.#deps.tuning.highWaterStepMs, 0);
    return { partition: this.#acquired.lease.partition, position: ahead };
  }

  /** A save that raised it has gone through. */
  raised({ position }: HighWaterMark): void {
    this.#mark = position;
  }

  /** Whether the log, of which everything up to `read` was read, has lost that since. */
  hasLost(read: string, tail: PartitionTail): boolean {
    const lost = comparePositions(tail.last, read) < 0 || tail.appended < this.#appended;
    this.#appended = Math.max(this.#appended, tail.appended);
    if (lost) {
      const message = `read up to ${read}; the log was made anew and ends at ${tail.last}: what was unread is lost`;
      this.#alarm('log-lost', message);
    }
    return lost;
  }

  /** A document that reflects `position`, written by another owner, was loaded when `read` had been read. */
  noteLoaded(address: string, position: string, read: string): void {
    const { last } = this.#acquired;
    if (comparePositions(position, last) <= 0 || comparePositions(position, read) <= 0) return;
    this.#alarm('log-behind-store', `the log ended at ${last}, but ${address} reflects ${position}`);
  }

  #alarm(alarm: string, message: string): void {
    raiseAlarm(this.#deps, this.#acquired.lease.partition, alarm, message);
  }
}
