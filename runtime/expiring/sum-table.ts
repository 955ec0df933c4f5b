import type { SumChange } from '../ports/expiring-sums.ts';

export interface Sum {
  readonly amount: number;
  readonly expiresAtMs: number;
}

/** Sums in memory. {@link sweep} removes expired sums; until then they read as 0. */
export class SumTable {
  readonly #sums = new Map<string, Sum>();

  /** Adds to a sum and returns the result. */
  add({ key, amount, expiresAtMs }: SumChange, nowMs: number): Sum {
    const before = this.#sums.get(key);
    const sum =
      before === undefined || before.expiresAtMs <= nowMs
        ? { amount, expiresAtMs }
        : { amount: before.amount + amount, expiresAtMs: Math.max(before.expiresAtMs, expiresAtMs) };
    this.#sums.set(key, sum);
    return sum;
  }

  /** Sets a sum to its stored value. */
  restore(key: string, sum: Sum): void {
    this.#sums.set(key, sum);
  }

  read(key: string, nowMs: number): number {
    const sum = this.#sums.get(key);
    return sum === undefined || sum.expiresAtMs <= nowMs ? 0 : sum.amount;
  }

  has(key: string): boolean {
    return this.#sums.has(key);
  }

  /** Removes the sums that have expired and returns their keys. */
  sweep(nowMs: number): string[] {
    const expired = [...this.#sums].filter(([, { expiresAtMs }]) => expiresAtMs <= nowMs).map(([key]) => key);
    for (const key of expired) this.#sums.delete(key);
    return expired;
  }
}

/** @throws {RangeError} for an amount that is no safe integer */
export function assertWholeAmounts(changes: readonly SumChange[]): void {
  const wrong = changes.find(({ amount }) => !Number.isSafeInteger(amount));
  if (wrong !== undefined) throw new RangeError(`not a safe integer for ${wrong.key}: ${wrong.amount}`);
}
