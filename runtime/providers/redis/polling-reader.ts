import { LogUnavailable } from '../../ports/errors.ts';
import type { LogEntry } from '../../ports/log.ts';
import type { Position } from '../../ports/position.ts';
import { Bell } from './bell.ts';
import type { Keys } from './keys.ts';
import type { PartitionReader } from './partition-reader.ts';
import { readNow } from './read-now.ts';
import type { Routes } from './routes.ts';

/**
 * Reads the partitions of a Redis Cluster. One XREAD cannot span slots, and a blocking one for each partition would
 * cost a connection each; so this reads without blocking (one write per node) and then waits for the bell, which
 * whoever appends has rung through a channel. A ring may get lost: after `pauseMs` it looks again by itself.
 */
export class PollingReader implements PartitionReader {
  readonly #routes: Routes;
  readonly #keys: Keys;
  readonly #pauseMs: number;
  readonly #appended = new Bell();
  #reading = false;
  #wakes = 0;
  #closed = false;

  constructor(routes: Routes, keys: Keys, pauseMs: number) {
    this.#routes = routes;
    this.#keys = keys;
    this.#pauseMs = pauseMs;
  }

  /** Somebody appended something. */
  ring(): void {
    this.#appended.ring();
  }

  async read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>> {
    if (this.#reading) throw new Error('one read at a time');
    this.#reading = true;
    const wakes = this.#wakes;
    const deadlineMs = performance.now() + waitMs;
    try {
      for (;;) {
        if (this.#closed) throw new LogUnavailable('the log is closed');
        const rings = this.#appended.rings;
        const batches = await readNow(this.#routes, this.#keys, after, limit);
        const leftMs = deadlineMs - performance.now();
        if (batches.size > 0 || leftMs <= 0 || this.#wakes > wakes) return batches;
        await this.#appended.wait(rings, Math.min(leftMs, after.size === 0 ? leftMs : this.#pauseMs));
        if (this.#wakes > wakes && !this.#closed) return batches;
      }
    } finally {
      this.#reading = false;
    }
  }

  wake(): void {
    if (!this.#reading) return;
    this.#wakes++;
    this.#appended.ring();
  }

  close(): void {
    this.#closed = true;
    this.#appended.ring();
  }
}
