import type { SumChange } from '../../runtime/ports/expiring-sums.ts';

/**
 * A sum that several edges add to, as one edge knows it: the value last read, and its own additions that were not read
 * back.
 *
 * When it is unknown whether an addition arrived, it is added again: budgets are counted too high rather than too low.
 */
export class SharedSum {
  readonly key: string;
  #read: number | null = null;
  #unsent = 0;
  /** Addition that is being sent. */
  #sending = 0;
  /** Addition that has arrived and is not in the last value read. */
  #unread = 0;
  /** Amount by which the stored sum has once shrunk: the store lost it. */
  #lost = 0;

  constructor(key: string) {
    this.key = key;
  }

  /** False until the sum was read once. */
  get known(): boolean {
    return this.#read !== null;
  }

  /** The sum, as far as this edge knows. */
  get value(): number {
    return (this.#read ?? 0) + this.#lost + this.#unread + this.#sending + this.#unsent;
  }

  /** Addition that is not being sent yet. */
  get unsent(): number {
    return this.#unsent;
  }

  /** Whether there is nothing to send. */
  get settled(): boolean {
    return this.#unsent === 0 && this.#sending === 0;
  }

  add(amount: number): void {
    this.#unsent += amount;
  }

  /** Takes the change to send now; null when there is none. {@link sent} must follow. */
  take(expiresAtMs: number): SumChange | null {
    if (this.#unsent === 0) return null;
    this.#sending = this.#unsent;
    this.#unsent = 0;
    return { key: this.key, amount: this.#sending, expiresAtMs };
  }

  sent(arrived: boolean): void {
    if (arrived) this.#unread += this.#sending;
    else this.#unsent += this.#sending;
    this.#sending = 0;
  }

  /**
   * Takes a value that was read after all sent changes had arrived. Returns what other edges have added since the last
   * read; 0 the first time.
   */
  read(value: number): number {
    const expected = (this.#read ?? value) + this.#unread;
    this.#lost += this.#read === null ? 0 : Math.max(0, expected - value);
    const foreign = this.#read === null ? 0 : Math.max(0, value - expected);
    this.#read = value;
    this.#unread = 0;
    return foreign;
  }
}
