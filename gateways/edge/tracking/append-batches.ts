import type { MessageLog, OnceEntry, OnceOutcome } from '../../../runtime/ports/log.ts';

interface Waiting {
  readonly entry: OnceEntry;
  readonly resolve: (outcome: OnceOutcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane {
  waiting: Waiting[];
  /** Calls that are under way, and one that is about to be made. */
  calls: number;
}

const MAX_BATCH = 500;
/**
 * With one call at a time an impression waits for the sync before its own as well (a twentieth of the rate at 64 in
 * flight); with no bound there would be no batches.
 */
const CALLS_PER_PARTITION = 4;

/**
 * Group commit: each partition has a few `appendOnce` under way, and all that arrive meanwhile share the next. The more
 * traffic, the larger the batches, and nobody waits for a timer.
 */
export class AppendBatches {
  readonly #log: MessageLog;
  readonly #lanes: Lane[];
  #waiting = 0;

  constructor(log: MessageLog) {
    this.#log = log;
    this.#lanes = Array.from({ length: log.partitions }, () => ({ waiting: [], calls: 0 }));
  }

  /** Entries whose outcome is not known yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when the outcome is durable; rejects as `MessageLog.appendOnce` does. */
  append(partition: number, entry: OnceEntry): Promise<OnceOutcome> {
    const lane = this.#lanes[partition]!;
    return new Promise((resolve, reject) => {
      lane.waiting.push({ entry, resolve, reject });
      this.#waiting += 1;
      // A call that is about to be made takes this one along.
      if (lane.waiting.length > 1 || lane.calls === CALLS_PER_PARTITION) return;
      lane.calls += 1;
      // After this turn of the event loop, so that what arrives together is sent together.
      setImmediate(() => void this.#drain(partition, lane));
    });
  }

  async #drain(partition: number, lane: Lane): Promise<void> {
    while (lane.waiting.length > 0) {
      const batch = lane.waiting.splice(0, MAX_BATCH);
      try {
        const outcomes = await this.#log.appendOnce(
          partition,
          batch.map(({ entry }) => entry),
        );
        for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      this.#waiting -= batch.length;
    }
    lane.calls -= 1;
  }
}
