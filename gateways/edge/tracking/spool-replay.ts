import type { MessageLog, OnceEntry, OnceOutcome } from '../../../runtime/ports/log.ts';
import { NOTE_BEFORE } from './impression-entry.ts';
import type { ImpressionSpool } from './spool.ts';
import type { SpooledImpression } from './spool-record.ts';

/**
 * A spooled impression was judged to be in time when it came, so its replay may be later than its window. But never
 * later than the log remembers ids (an hour after expiry), or a repeat of an impression billed before the outage would
 * be billed again: a minute is left for clocks that differ.
 */
const REPLAY_GRACE_MS = 59 * 60_000;
const BATCH = 200;

export interface Replayed {
  readonly impressions: number;
  readonly damagedLines: number;
  /** Impressions of another exchange, which were set aside. */
  readonly foreign: number;
}

/** Moves what the spool holds into the log, oldest file first. */
export class SpoolReplay {
  readonly #log: MessageLog;
  readonly #spool: ImpressionSpool;
  readonly #replayed: (impression: SpooledImpression, outcome: OnceOutcome) => void;

  /** `replayed` hears each outcome once it is durable; after a crash or an outage it may hear one again, as `repeated`. */
  constructor(
    log: MessageLog,
    spool: ImpressionSpool,
    replayed: (impression: SpooledImpression, outcome: OnceOutcome) => void,
  ) {
    this.#log = log;
    this.#spool = spool;
    this.#replayed = replayed;
  }

  /** Rejects when the log or the spool does; what was not replayed stays in the spool. */
  async run(): Promise<Replayed> {
    const total = { impressions: 0, damagedLines: 0, foreign: 0 };
    for (const file of await this.#spool.files()) {
      const decoded = await this.#spool.read(file);
      if (!this.#spool.isOwn(decoded)) {
        await this.#spool.setForeignAside(file);
        total.foreign += decoded.impressions.length;
        continue;
      }
      const { impressions, damagedLines } = decoded;
      const tooLate: SpooledImpression[] = [];
      for (const [partition, spooled] of byPartition(impressions)) {
        for (let from = 0; from < spooled.length; from += BATCH) {
          tooLate.push(...(await this.#replay(partition, spooled.slice(from, from + BATCH))));
        }
      }
      if (tooLate.length > 0) await this.#spool.keepTooLate(tooLate);
      if (damagedLines > 0) await this.#spool.setAside(file);
      else await this.#spool.remove(file);
      total.impressions += impressions.length;
      total.damagedLines += damagedLines;
    }
    return total;
  }

  /** Resolves with those that the log would not take any more. */
  async #replay(partition: number, spooled: readonly SpooledImpression[]): Promise<SpooledImpression[]> {
    const outcomes = await this.#log.appendOnce(partition, spooled.map(replayEntry));
    for (const [index, outcome] of outcomes.entries()) this.#replayed(spooled[index]!, outcome);
    return spooled.filter((_, index) => outcomes[index] === 'expired');
  }
}

function replayEntry({ entry }: SpooledImpression): OnceEntry {
  const later = { ...entry, expiresAtMs: entry.expiresAtMs + REPLAY_GRACE_MS };
  // Releases that judged no calls did not say where the note of an invalid one stands.
  return entry.provisional === undefined ? { noteBefore: NOTE_BEFORE, ...later } : later;
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
