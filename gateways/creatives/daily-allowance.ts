import { LRUCache } from 'lru-cache';
import type { Clock } from '../../runtime/ports/clock.ts';

const DAY_MS = 86_400_000;
const NAMES_KEPT = 10_000;

/** A daily allowance for each name (UTC day), counted by this process alone. Names do not share their allowances. */
export class DailyAllowance {
  readonly #most: number;
  readonly #clock: Clock;
  readonly #used = new LRUCache<string, { readonly day: number; readonly amount: number }>({ max: NAMES_KEPT });

  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  /** Adds `amount` to the sum of today, also beyond the allowance. */
  use(name: string, amount: number): void {
    this.#used.set(name, { day: this.#day(), amount: this.#usedToday(name) + amount });
  }

  isUsedUp(name: string): boolean {
    return this.#usedToday(name) >= this.#most;
  }

  #usedToday(name: string): number {
    const used = this.#used.get(name);
    return used?.day === this.#day() ? used.amount : 0;
  }

  #day(): number {
    return Math.floor(this.#clock.now() / DAY_MS);
  }
}
