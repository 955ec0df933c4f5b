import { LogUnavailable } from '../../ports/errors.ts';
import type { LogEntry } from '../../ports/log.ts';
import type { Position } from '../../ports/position.ts';

/** How long what has come waits for partitions that have yet to answer. */
const STRAGGLER_WAIT_MS = 50;
/** A partition that failed is left out for so long. */
const LEFT_OUT_MS = 500;

/** Reads what one partition has after a position, waiting for nothing. */
export type ReadPartition = (partition: number, after: Position, limit: number) => Promise<LogEntry[]>;

/**
 * Reads each partition by itself, so that one whose shard is away, or does not answer, holds up none of the others. A read that
 * comes too late is dropped, as reading takes nothing; until it has ended its partition is left out.
 */
export class SeparateReads {
  readonly #readPartition: ReadPartition;
  readonly #underWay = new Set<number>();
  readonly #leftOutUntil = new Map<number, number>();

  constructor(readOne: ReadPartition) {
    this.#readPartition = readOne;
  }

  /** Rejects with `LogUnavailable` when each partition that was asked failed. */
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

/** Resolves when all have ended; or, once `enough` holds, after a while. */
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
