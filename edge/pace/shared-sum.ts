import type { SumChange } from '../../runtime/ports/expiring-sums.ts';

/**
 * A sum that several edges add to, as one edge knows it: the value last read, what others have told since, and its own
 * additions that were not read back.
 *
 * When it is unknown whether an addition arrived, it is added again: budgets are counted too high rather than too low.
 */
export class SharedSum {
  readonly key: string;
  #read: number | null = null;
  /** What others have told since the last read. */
  #told = 0;
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
    return (this.#read ?? 0) + this.#lost + this.#told + this.#unread + this.#sending + this.#unsent;
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
   * Another edge tells of an addition. What was added before the next read and is told after it counts twice until
   * then.
   */
  told(amount: number): void {
    this.#told += amount;
  }

  /** Takes a value that was read after all sent changes had arrived. */
  read(value: number): void {
    if (this.#read !== null) this.#lost += Math.max(0, this.#read + this.#unread - value);
    this.#read = value;
    this.#told = 0;
    this.#unread = 0;
  }
}
