import { LogUnavailable } from '../../runtime/ports/errors.ts';
import type {
  AppendOnceOutcome,
  IdempotentEntry,
  IdempotentMark,
  MarkOutcome,
  MessageLog,
  PartitionTail,
} from '../../runtime/ports/log.ts';
import type { KnownSource } from '../../runtime/ports/relayed.ts';
import type { ImpressionLog } from '../impressions/impression-log.ts';
import { regionalEntry } from './regional-entry.ts';

/**
 * Impressions in the region's own log, from which the relay brings them home: durable here, whether or not home can be
 * reached. Home has the last word on whether an id is new, because its pixel may be called in another region too.
 *
 * A log that home has written off is away: what would be taken into it would not be billed. So is one that was made
 * anew until home knows it: budgets would not wait for what it takes.
 */
export class RegionalImpressions implements ImpressionLog {
  readonly #region: ImpressionLog;
  readonly #home: Pick<MessageLog, 'markOnce'>;
  readonly #known: KnownSource;

  /** Both logs have the same number of partitions. `known`: what home knows of the region's log, kept up to date. */
  constructor(region: ImpressionLog, home: Pick<MessageLog, 'markOnce'>, known: KnownSource) {
    this.#region = region;
    this.#home = home;
    this.#known = known;
  }

  get partitions(): number {
    return this.#region.partitions;
  }

  appendOnce(partition: number, entries: readonly IdempotentEntry[]): Promise<AppendOnceOutcome[]> {
    const refusal = this.#refusal();
    if (refusal !== null) return Promise.reject(refusal);
    return this.#region.appendOnce(partition, entries.map(regionalEntry), this.#known.identity);
  }

  /**
   * Marks an impression where it is known: in this region, or else at home. What home does not answer is `unknown`: a
   * rejection would hide the marks that were set here, and a retry would find these as `repeated`.
   */
  async markOnce(partition: number, marks: readonly IdempotentMark[]): Promise<MarkOutcome[]> {
    const outcomes = await this.#region.markOnce(partition, marks);
    const elsewhere = marks.filter((_, index) => outcomes[index] === 'unknown');
    if (elsewhere.length === 0) return outcomes;
    const atHome = await this.#home.markOnce(partition, elsewhere).catch(() => null);
    if (atHome === null) return outcomes;
    const found = new Map(elsewhere.map((mark, index) => [mark, atHome[index]!]));
    return marks.map((mark, index) => found.get(mark) ?? outcomes[index]!);
  }

  tail(partition: number): Promise<PartitionTail> {
    const refusal = this.#refusal();
    if (refusal !== null) return Promise.reject(refusal);
    return this.#region.tail(partition);
  }

  #refusal(): LogUnavailable | null {
    const { writtenOff } = this.#known;
    return writtenOff === null ? null : new LogUnavailable(`the region's log was written off: ${writtenOff}`);
  }
}
