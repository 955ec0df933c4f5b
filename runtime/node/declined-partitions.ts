import type { Clock } from '../ports/clock.ts';
import type { Tuning } from './tuning.ts';

interface DeclinedPartition {
  readonly untilMs: number;
  readonly forMs: number;
}

/**
 * Partitions whose sessions failed on this node several times in a row while the node is otherwise fit: another member
 * should try them for a while. Each following period is twice as long, so that a partition that fails everywhere moves
 * less and less often.
 */
export class DeclinedPartitions {
  readonly #clock: Clock;
  readonly #tuning: Tuning;
  readonly #declined = new Map<number, DeclinedPartition>();

  constructor(clock: Clock, tuning: Tuning) {
    this.#clock = clock;
    this.#tuning = tuning;
  }

  /** Declines a partition and returns for how long, ms. */
  add(partition: number): number {
    const [shortest, longest] = this.#tuning.declineMs;
    const last = this.#declined.get(partition)?.forMs ?? 0;
    const forMs = Math.min(longest, Math.max(shortest, 2 * last));
    this.#declined.set(partition, { untilMs: this.#clock.monotonic() + forMs, forMs });
    return forMs;
  }

  /** The partitions that are declined now. */
  current(): number[] {
    const now = this.#clock.monotonic();
    const current: number[] = [];
    for (const [partition, { untilMs, forMs }] of this.#declined) {
      if (untilMs > now) current.push(partition);
      // A partition that then did well for as long is forgotten.
      else if (untilMs + 2 * forMs < now) this.#declined.delete(partition);
    }
    return current;
  }
}
