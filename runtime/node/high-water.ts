import type { AcquiredPartition } from '../ports/leases.ts';
import type { LogEntry, PartitionTail } from '../ports/log.ts';
import { comparePositions, positionOf, positionTimeMs, START } from '../ports/position.ts';
import type { HighWaterMark, MarkedPartition } from '../ports/store.ts';
import { raiseAlarm } from './alarm.ts';
import { type Alarm, MAIN_LOG } from './metrics.ts';
import type { NodeDeps } from './node-deps.ts';
import { StaleLease } from './session-end.ts';

/**
 * Law 9: handles a log that is behind the store. For each partition of each log the store has a mark at or above every
 * position that a saved state reflects. A log that was lost and recreated is raised above the mark; otherwise later
 * messages would be skipped.
 */
export class HighWater {
  readonly #deps: NodeDeps;
  readonly #acquired: AcquiredPartition;
  readonly #partition: MarkedPartition;
  #mark = START;
  #appended = 0;
  /** When the log is younger than the cursor: its entries up to this position have not been handled. */
  #unhandledBelow = START;

  constructor(deps: NodeDeps, acquired: AcquiredPartition) {
    this.#deps = deps;
    this.#acquired = acquired;
    const { partition } = acquired.lease;
    this.#partition = deps.logName === MAIN_LOG ? { partition } : { partition, log: deps.logName };
  }

  /** Compares log and store when an ownership begins; resolves with the position after which to read. */
  async begin(): Promise<string> {
    const { provider, store, brokenLaws } = this.#deps;
    const { lease, cursor, last } = this.#acquired;
    this.#mark = await store.highWater(this.#partition);
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

  /**
   * Whether the log was lost although nothing was ever committed: states reflect positions that neither an owner's note
   * nor the beginning of the log explains.
   */
  async #lostAll(): Promise<boolean> {
    if (this.#mark === START) return false;
    // An owner notes its ownership before it saves anything.
    if (this.#acquired.note === '') return true;
    const { partition } = this.#acquired.lease;
    const read = await this.#deps.provider.log.read(new Map([[partition, START]]), 1, 0);
    const first = read.get(partition)?.[0];
    return !first || comparePositions(first.position, this.#mark) > 0;
  }

  /**
   * Whether the log was recreated: the cursor says that entries were trimmed, but the log still has every entry that
   * was ever appended.
   */
  async #madeAnew(): Promise<boolean> {
    const { length, appended } = await this.#deps.provider.log.tail(this.#acquired.lease.partition);
    this.#appended = appended;
    // An earlier owner has raised an empty log and alarmed about the loss.
    return length > 0 && length === appended;
  }

  /**
   * Appends the entries of a younger log at or below the mark again, above it, because actors would skip them where
   * they are. (A crash between the steps can lose some of them, which the alarm has reported.) Resolves with the other
   * entries.
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
   * The mark that must be stored before states that reflect up to `position`; undefined when the stored mark is high
   * enough. The new mark runs ahead, so that few saves raise it.
   */
  toCover(position: string): HighWaterMark | undefined {
    if (comparePositions(position, this.#mark) <= 0) return undefined;
    const ahead = positionOf(positionTimeMs(position) + this.#deps.tuning.highWaterStepMs, 0);
    return { ...this.#partition, position: ahead };
  }

  /** Must be called when a save has raised the mark. */
  raised({ position }: HighWaterMark): void {
    this.#mark = position;
  }

  /** Whether the log has lost entries up to `read`, all of which had been read. */
  hasLost(read: string, tail: PartitionTail): boolean {
    const lost = comparePositions(tail.last, read) < 0 || tail.appended < this.#appended;
    this.#appended = Math.max(this.#appended, tail.appended);
    if (lost) {
      const message = `read up to ${read}; the log was made anew and ends at ${tail.last}: what was unread is lost`;
      this.#alarm('log-lost', message);
    }
    return lost;
  }

  /**
   * Must be called when a document that another owner wrote, and that reflects `position`, was loaded after `read` had
   * been read.
   */
  noteLoaded(address: string, position: string, read: string): void {
    const { last } = this.#acquired;
    if (comparePositions(position, last) <= 0 || comparePositions(position, read) <= 0) return;
    this.#alarm('log-behind-store', `the log ended at ${last}, but ${address} reflects ${position}`);
  }

  #alarm(alarm: Alarm, message: string): void {
    raiseAlarm(this.#deps, this.#acquired.lease.partition, alarm, message);
  }
}
