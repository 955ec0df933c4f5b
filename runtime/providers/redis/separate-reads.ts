import { LogUnavailable } from '../../ports/errors.ts';
import type { LogEntry } from '../../ports/log.ts';
import type { Position } from '../../ports/position.ts';

/** The time that a read with some results waits for the other partitions, ms. */
const STRAGGLER_WAIT_MS = 50;
/** A partition that failed is left out of reads for this long, ms. */
const LEFT_OUT_MS = 500;

/** Reads the entries of one partition after a position, without waiting for new ones. */
export type ReadPartition = (partition: number, after: Position, limit: number) => Promise<LogEntry[]>;

/**
 * Reads each partition by itself, so that one whose shard is unavailable or slow delays none of the others. A late
 * result is dropped, because reading removes nothing; until that read has ended its partition is left out.
 */
export class SeparateReads {
  readonly #readPartition: ReadPartition;
  readonly #underWay = new Set<number>();
  readonly #leftOutUntil = new Map<number, number>();

  constructor(readOne: ReadPartition) {
    this.#readPartition = readOne;
  }

  /** Rejects with `LogUnavailable` when every partition that was read failed. */
  async read(after: ReadonlyMap<number, Position>, limit: number): Promise<Map<number, LogEntry[]>> {
    const batches = new Map<number, LogEntry[]>();
    const failures: unknown[] = [];
    let answers = 0;
    let over = false;
    const nowMs = performance.now();
    const reads = [...after]
      .filter(([partition]) => !this.#underWay.has(partition) && (this.#leftOutUntil.get(partition) ?? 0) <= nowMs)
      .map(async ([partition, position]) => {
        this.#underWay.add(partition);
        try {
          const entries = await this.#readPartition(partition, position, limit);
          this.#leftOutUntil.delete(partition);
          if (over) return;
          answers++;
          if (entries.length > 0) batches.set(partition, entries);
        } catch (error) {
          this.#leftOutUntil.set(partition, performance.now() + LEFT_OUT_MS);
          failures.push(error);
        } finally {
          this.#underWay.delete(partition);
        }
      });
    await awaitWithoutStragglers(reads, () => answers > 0);
    over = true;
    const [failure] = failures;
    if (answers > 0 || failure === undefined) return batches;
    throw failure instanceof LogUnavailable
      ? failure
      : new LogUnavailable('no partition could be read', { cause: failure });
  }
}

/** Resolves when all reads have ended, or after `STRAGGLER_WAIT_MS` once `enough` holds. */
async function awaitWithoutStragglers(reads: readonly Promise<void>[], enough: () => boolean): Promise<void> {
  const all = Promise.all(reads);
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<'later'>((resolve) => {
      timer = setTimeout(() => resolve('later'), STRAGGLER_WAIT_MS);
    });
    const first = await Promise.race([all, patience]);
    clearTimeout(timer);
    if (first !== 'later' || enough()) return;
  }
}
