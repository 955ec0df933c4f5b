import type {
  AppendOnceOutcome,
  IdempotentEntry,
  IdempotentMark,
  MarkOutcome,
  MessageLog,
} from '../../runtime/ports/log.ts';
import type { ImpressionLog } from '../impressions/impression-log.ts';
import { regionalEntry } from './regional-entry.ts';

/**
 * Impressions in the region's own log, from which the relay brings them home: durable here, whether or not home can be
 * reached. Home has the last word on whether an id is new, because its pixel may be called in another region too.
 */
export class RegionalImpressions implements ImpressionLog {
  readonly #region: ImpressionLog;
  readonly #home: Pick<MessageLog, 'markOnce'>;

  /** Both logs have the same number of partitions. */
  constructor(region: ImpressionLog, home: Pick<MessageLog, 'markOnce'>) {
    this.#region = region;
    this.#home = home;
  }

  get partitions(): number {
    return this.#region.partitions;
  }

  appendOnce(partition: number, entries: readonly IdempotentEntry[]): Promise<AppendOnceOutcome[]> {
    return this.#region.appendOnce(partition, entries.map(regionalEntry));
  }

  /** Marks an impression where it is known: in this region, or else at home. */
  async markOnce(partition: number, marks: readonly IdempotentMark[]): Promise<MarkOutcome[]> {
    const outcomes = await this.#region.markOnce(partition, marks);
    const elsewhere = marks.filter((_, index) => outcomes[index] === 'unknown');
    if (elsewhere.length === 0) return outcomes;
    const atHome = await this.#home.markOnce(partition, elsewhere);
    const found = new Map(elsewhere.map((mark, index) => [mark, atHome[index]!]));
    return marks.map((mark, index) => found.get(mark) ?? outcomes[index]!);
  }

  tail(partition: number) {
    return this.#region.tail(partition);
  }
}
