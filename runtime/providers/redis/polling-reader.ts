import { Signal } from '#async/signal';
import { LogUnavailable } from '../../ports/errors.ts';
import type { LogEntry } from '../../ports/log.ts';
import type { Position } from '../../ports/position.ts';
import type { Keys } from './keys.ts';
import type { PartitionReader } from './partition-reader.ts';
import { readNow } from './read-now.ts';
import type { Routes } from './routes.ts';
import { SeparateReads } from './separate-reads.ts';

/**
 * Reads the partitions of a Redis Cluster. One XREAD cannot span slots, and a blocking XREAD for each partition would
 * need a connection each; so this reader reads without blocking (one write per node) and then waits for the signal that
 * appending processes send through a channel. Each partition is read by itself (`SeparateReads`). A signal may get
 * lost: after `pauseMs` the reader reads again by itself.
 */
export class PollingReader implements PartitionReader {
  readonly #reads: SeparateReads;
  readonly #pauseMs: number;
  readonly #appended = new Signal();
  #reading = false;
  #wakes = 0;
  #closed = false;

  constructor(routes: Routes, keys: Keys, pauseMs: number) {
    this.#reads = new SeparateReads(async (partition, position, most) => {
      const read = await readNow(routes, keys, new Map([[partition, position]]), most);
      return read.get(partition) ?? [];
    });
    this.#pauseMs = pauseMs;
  }

  /** Must be called when a process has appended entries. */
  notify(): void {
    this.#appended.raise();
  }

  async read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>> {
    if (this.#reading) throw new Error('one read at a time');
    this.#reading = true;
    const wakes = this.#wakes;
    const deadlineMs = performance.now() + waitMs;
    try {
      for (;;) {
        if (this.#closed) throw new LogUnavailable('the log is closed');
        const raised = this.#appended.raised;
        const batches = await this.#reads.read(after, limit);
        const leftMs = deadlineMs - performance.now();
        if (batches.size > 0 || leftMs <= 0 || this.#wakes > wakes) return batches;
        await this.#appended.wait(Math.min(leftMs, after.size === 0 ? leftMs : this.#pauseMs), raised);
        if (this.#wakes > wakes && !this.#closed) return batches;
      }
    } finally {
      this.#reading = false;
    }
  }

  wake(): void {
    if (!this.#reading) return;
    this.#wakes++;
    this.#appended.raise();
  }

  close(): void {
    this.#closed = true;
    this.#appended.raise();
  }
}
