import type { AppendOnceOutcome, IdempotentEntry, MessageLog } from '../../runtime/ports/log.ts';
import { NOTE_OFFSET_FROM_END } from './impression-entry.ts';
import type { ImpressionSpool } from './spool.ts';
import type { SpooledImpression } from './spool-record.ts';

/**
 * A spooled impression was judged to be in time when it came, so its replay may be later than its window. But never
 * later than the log remembers ids (an hour after expiry), or a repeat of an impression billed before the outage would
 * be billed again: a minute is left for clocks that differ.
 */
const REPLAY_GRACE_MS = 59 * 60_000;
const BATCH = 200;

export interface ReplayResult {
  readonly impressions: number;
  readonly damagedLines: number;
  /** Impressions of another exchange, which were set aside. */
  readonly foreign: number;
}

/**
 * Moves what the spool holds into the log, oldest file first and each partition by itself: a part of the log that is away holds up
 * what is for it alone. A file goes when all of it is in the log; until then what was replayed of it is known in memory, and
 * replayed again, which is harmless, after a restart.
 */
export class SpoolReplay {
  readonly #log: MessageLog;
  readonly #spool: ImpressionSpool;
  readonly #replayed: (impression: SpooledImpression, outcome: AppendOnceOutcome) => void;
  /** Of each file that was begun: the partitions for which it still holds something. */
  #remaining = new Map<string, Set<number>>();

  /** `replayed` hears each outcome once it is durable; after a crash or an outage it may hear one again, as `repeated`. */
  constructor(
    log: MessageLog,
    spool: ImpressionSpool,
    replayed: (impression: SpooledImpression, outcome: AppendOnceOutcome) => void,
  ) {
    this.#log = log;
    this.#spool = spool;
    this.#replayed = replayed;
  }

  /** The partitions for which files of an earlier run still hold something. */
  get waitingFor(): ReadonlySet<number> {
    return new Set([...this.#remaining.values()].flatMap((partitions) => [...partitions]));
  }

  /**
   * Leaves in the spool what is for partitions that are `away`, and adds those to them that fail meanwhile, with the reason. Rejects when
   * the spool does.
   */
  async run(away: Map<number, unknown> = new Map()): Promise<ReplayResult> {
    const total = { impressions: 0, damagedLines: 0, foreign: 0 };
    const before = this.#remaining;
    this.#remaining = new Map();
    for (const file of await this.#spool.files()) {
      const known = before.get(file);
      if (known && [...known].every((partition) => away.has(partition))) {
        this.#remaining.set(file, known);
        continue;
      }
      const decoded = await this.#spool.read(file);
      if (!this.#spool.isOwn(decoded)) {
        await this.#spool.setForeignAside(file);
        total.foreign += decoded.impressions.length;
        continue;
      }
      const { impressions, damagedLines } = decoded;
      const groups = byPartition(impressions);
      const remaining = known ?? new Set(groups.keys());
      this.#remaining.set(file, remaining);
      await Promise.all(
        [...remaining].map(async (partition) => {
          const spooled = groups.get(partition)!;
          if (await this.#replayAll(partition, spooled, away)) {
            remaining.delete(partition);
            total.impressions += spooled.length;
          }
        }),
      );
      if (remaining.size > 0) continue;
      if (damagedLines > 0) await this.#spool.setAside(file);
      else await this.#spool.remove(file);
      this.#remaining.delete(file);
      total.damagedLines += damagedLines;
    }
    return total;
  }

  /** Whether the partition has taken them all, or said that it will not any more. */
  async #replayAll(
    partition: number,
    spooled: readonly SpooledImpression[],
    away: Map<number, unknown>,
  ): Promise<boolean> {
    const tooLate: SpooledImpression[] = [];
    for (let from = 0; from < spooled.length && !away.has(partition); from += BATCH) {
      try {
        tooLate.push(...(await this.#replay(partition, spooled.slice(from, from + BATCH))));
      } catch (error) {
        away.set(partition, error);
      }
    }
    if (away.has(partition)) return false;
    if (tooLate.length > 0) await this.#spool.keepTooLate(tooLate);
    return true;
  }

  /** Resolves with those that the log would not take any more. */
  async #replay(partition: number, spooled: readonly SpooledImpression[]): Promise<SpooledImpression[]> {
    const outcomes = await this.#log.appendOnce(partition, spooled.map(replayEntry));
    for (const [index, outcome] of outcomes.entries()) this.#replayed(spooled[index]!, outcome);
    return spooled.filter((_, index) => outcomes[index] === 'expired');
  }
}

function replayEntry({ entry }: SpooledImpression): IdempotentEntry {
  const later = { ...entry, expiresAtMs: entry.expiresAtMs + REPLAY_GRACE_MS };
  // Releases that judged no calls did not say where the note of an invalid one stands.
  return entry.provisional === undefined ? { noteBefore: NOTE_OFFSET_FROM_END, ...later } : later;
}

function byPartition(impressions: readonly SpooledImpression[]): Map<number, SpooledImpression[]> {
  const partitions = new Map<number, SpooledImpression[]>();
  for (const impression of impressions) {
    const spooled = partitions.get(impression.partition);
    if (spooled) spooled.push(impression);
    else partitions.set(impression.partition, [impression]);
  }
  return partitions;
}
