import type { Clock } from '../ports/clock.ts';
import type { Tuning } from './tuning.ts';

interface DeclinedPartition {
  readonly untilMs: number;
  readonly forMs: number;
}

/**
 * Partitions whose sessions failed here several times in a row, while this node is well otherwise: another member is to try, for a
 * while. Each time that follows upon the last is twice as long, so that a partition which fails everywhere is passed on ever less.
 */
export class DeclinedPartitions {
  readonly #clock: Clock;
  readonly #tuning: Tuning;
  readonly #declined = new Map<number, DeclinedPartition>();

  constructor(clock: Clock, tuning: Tuning) {
    this.#clock = clock;
    this.#tuning = tuning;
  }

  /** Answers for how long. */
  add(partition: number): number {
    const [shortest, longest] = this.#tuning.declineMs;
    const last = this.#declined.get(partition)?.forMs ?? 0;
    const forMs = Math.min(longest, Math.max(shortest, 2 * last));
    this.#declined.set(partition, { untilMs: this.#clock.monotonic() + forMs, forMs });
    return forMs;
  }

  /** Those that are declined now. */
  current(): number[] {
    const now = this.#clock.monotonic();
    const current: number[] = [];
    for (const [partition, { untilMs, forMs }] of this.#declined) {
      if (untilMs > now) current.push(partition);
      // What then went well for as long is forgotten.
      else if (untilMs + 2 * forMs < now) this.#declined.delete(partition);
    }
    return current;
  }
}
