import { encodedKind, readdressed } from '../../runtime/node/envelope.ts';
import type { AppendOnceOutcome, IdempotentEntry } from '../../runtime/ports/log.ts';
import { impressionPartition, NOTE_OFFSET_FROM_END } from './impression-entry.ts';
import type { ImpressionLog } from './impression-log.ts';
import type { ImpressionSpool } from './spool.ts';
import type { SpooledImpression } from './spool-record.ts';

/**
 * ms past its window within which an impression is replayed. A spooled impression was judged to be in time on arrival,
 * so its replay may come after its window. It must not come later than the log remembers ids (an hour after expiry): a
 * repeat of an impression billed before the outage would be billed again. One minute is left for clocks that differ.
 */
const REPLAY_GRACE_MS = 59 * 60_000;
const BATCH = 200;

interface ReplayTotals {
  impressions: number;
  damagedLines: number;
  /** Number of impressions of another exchange, which were set aside. */
  foreign: number;
}

export interface ReplayResult extends Readonly<ReplayTotals> {
  /** The first file that the file system failed for, which the next run tries again; null when there was none. */
  readonly failure: { readonly file: string; readonly error: unknown } | null;
}

/**
 * Moves the spool's impressions into the log, oldest file first and each partition separately: a part of the log that
 * is away delays only its own impressions. They go where this edge appends others: the log may have more partitions
 * than when they were written. A file is removed when all of it is in the log. Until then, memory holds which
 * partitions were replayed; after a restart they are replayed again, which is harmless. A file that cannot be read,
 * removed or set aside delays no other.
 */
export class SpoolReplay {
  readonly #log: Pick<ImpressionLog, 'partitions' | 'appendOnce'>;
  readonly #spool: ImpressionSpool;
  readonly #replayed: (impression: SpooledImpression, outcome: AppendOnceOutcome) => void;
  /** Partitions with impressions left, by each file that was begun. */
  readonly #remaining = new Map<string, Set<number>>();
  #stopped = false;

  /**
   * `replayed` receives each outcome once it is durable. After a crash or an outage it may receive one again, as
   * `repeated`.
   */
  constructor(
    log: Pick<ImpressionLog, 'partitions' | 'appendOnce'>,
    spool: ImpressionSpool,
    replayed: (impression: SpooledImpression, outcome: AppendOnceOutcome) => void,
  ) {
    this.#log = log;
    this.#spool = spool;
    this.#replayed = replayed;
  }

  /** The partitions for which files of an earlier run still hold impressions. */
  get waitingFor(): ReadonlySet<number> {
    return new Set([...this.#remaining.values()].flatMap((partitions) => [...partitions]));
  }

  /** Ends the run under way with the batches that the log has now; what it leaves is replayed after the next start. */
  stop(): void {
    this.#stopped = true;
  }

  /**
   * Leaves the impressions of partitions that are `away` in the spool, and adds partitions that fail meanwhile to
   * `away`, with the reason. Rejects when the files cannot be listed.
   */
  async run(away: Map<number, unknown> = new Map()): Promise<ReplayResult> {
    const totals: ReplayTotals = { impressions: 0, damagedLines: 0, foreign: 0 };
    let failure: ReplayResult['failure'] = null;
    const files = await this.#spool.files();
    for (const file of this.#remaining.keys()) if (!files.includes(file)) this.#remaining.delete(file);
    for (const file of files) {
      if (this.#stopped) break;
      const known = this.#remaining.get(file);
      // A file of which nothing remains could not be removed.
      if (known && known.size > 0 && [...known].every((partition) => away.has(partition))) continue;
      try {
        await this.#replayFile(file, away, totals);
      } catch (error) {
        failure ??= { file, error };
      }
    }
    return { ...totals, failure };
  }

  async #replayFile(file: string, away: Map<number, unknown>, totals: ReplayTotals): Promise<void> {
    const decoded = await this.#spool.read(file);
    if (!this.#spool.isOwn(decoded)) {
      await this.#spool.setForeignAside(file);
      totals.foreign += decoded.impressions.length;
      return;
    }
    const { impressions, damagedLines } = decoded;
    const groups = byPartition(impressions.map((impression) => placed(impression, this.#log.partitions)));
    const remaining = this.#remaining.get(file) ?? new Set(groups.keys());
    this.#remaining.set(file, remaining);
    const replays = [...remaining].map(async (partition) => {
      const spooled = groups.get(partition)!;
      if (await this.#replayAll(partition, spooled, away)) {
        remaining.delete(partition);
        totals.impressions += spooled.length;
      }
    });
    // Each ends before the file is tried again.
    for (const replay of await Promise.allSettled(replays)) if (replay.status === 'rejected') throw replay.reason;
    if (remaining.size > 0) return;
    if (damagedLines > 0) await this.#spool.setAside(file);
    else await this.#spool.remove(file);
    this.#remaining.delete(file);
    totals.damagedLines += damagedLines;
  }

  /** Whether the partition has taken all impressions, or has finally refused them as too late. */
  async #replayAll(
    partition: number,
    spooled: readonly SpooledImpression[],
    away: Map<number, unknown>,
  ): Promise<boolean> {
    const tooLate: SpooledImpression[] = [];
    for (let from = 0; from < spooled.length && !away.has(partition); from += BATCH) {
      // The file stays: what was replayed of it is replayed again, and is known to the log.
      if (this.#stopped) return false;
      try {
        tooLate.push(...(await this.#replay(partition, spooled.slice(from, from + BATCH))));
      } catch (error) {
        away.set(partition, error);
      }
    }
    if (away.has(partition)) return false;
    if (tooLate.length > 0) await this.#spool.keepTooLate(tooLate);
    for (const impression of tooLate) this.#replayed(impression, 'expired');
    return true;
  }

  /** Resolves with the impressions that the log refuses as too late. */
  async #replay(partition: number, spooled: readonly SpooledImpression[]): Promise<SpooledImpression[]> {
    const outcomes = await this.#log.appendOnce(partition, spooled.map(replayEntry));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome !== 'expired') this.#replayed(spooled[index]!, outcome);
    }
    return spooled.filter((_, index) => outcomes[index] === 'expired');
  }
}

function replayEntry({ entry }: SpooledImpression): IdempotentEntry {
  const { expiresAtMs } = entry;
  const later = { ...entry, expiresAtMs: expiresAtMs + REPLAY_GRACE_MS, firstExpiresAtMs: expiresAtMs };
  // Releases that did not judge calls did not store the position of an invalid call's note.
  return entry.provisional === undefined ? { noteBefore: NOTE_OFFSET_FROM_END, ...later } : later;
}

/** The impression, for the partition in which the log remembers it. */
function placed(impression: SpooledImpression, partitions: number): SpooledImpression {
  const { entry } = impression;
  const partition = impressionPartition(entry.id, partitions);
  if (partition === impression.partition) return impression;
  const payload = readdressed(entry.payload, `${encodedKind(entry.payload)}/${partition}`);
  return { ...impression, partition, entry: { ...entry, payload } };
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
