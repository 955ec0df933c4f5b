import type { SumChange } from '../../runtime/ports/expiring-sums.ts';

/**
 * A sum that several edges add to, as one of them knows it: what it last read, and what it has added itself and not read back.
 *
 * Where it is unknown whether an addition arrived, it is added again: budgets are counted too high rather than too low.
 */
export class SharedSum {
  readonly key: string;
  #read: number | null = null;
  #unsent = 0;
  /** On its way. */
  #sending = 0;
  /** Arrived, and not in what was read. */
  #unread = 0;
  /** What the sum once was and then was not any more: somebody lost it. */
  #lost = 0;

  constructor(key: string) {
    this.key = key;
  }

  /** False until it was read once. */
  get known(): boolean {
    return this.#read !== null;
  }

  /** As far as it is known here. */
  get value(): number {
    return (this.#read ?? 0) + this.#lost + this.#unread + this.#sending + this.#unsent;
  }

  /** Added here, and not on its way yet. */
  get unsent(): number {
    return this.#unsent;
  }

  /** Nothing of it is to be sent. */
  get settled(): boolean {
    return this.#unsent === 0 && this.#sending === 0;
  }

  add(amount: number): void {
    this.#unsent += amount;
  }

  /** What is to be sent now; null for nothing. {@link sent} must follow. */
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

  /** Takes what was read after all that was sent had arrived. Answers what others have added since the last time, 0 the first time. */
  read(value: number): number {
    const expected = (this.#read ?? value) + this.#unread;
    this.#lost += this.#read === null ? 0 : Math.max(0, expected - value);
    const foreign = this.#read === null ? 0 : Math.max(0, value - expected);
    this.#read = value;
    this.#unread = 0;
    return foreign;
  }
}
