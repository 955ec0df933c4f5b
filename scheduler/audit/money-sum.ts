/** Impressions and the money that they moved, nano-dollars. */
export interface MoneySum {
  impressions: number;
  grossNanos: bigint;
  feeNanos: bigint;
}

interface Money {
  readonly impressions: number;
  readonly grossNanos: number | bigint;
  readonly feeNanos: number | bigint;
}

export function noMoney(): MoneySum {
  return { impressions: 0, grossNanos: 0n, feeNanos: 0n };
}

export function addMoney(sum: MoneySum, { impressions, grossNanos, feeNanos }: Money): void {
  sum.impressions += impressions;
  sum.grossNanos += BigInt(grossNanos);
  sum.feeNanos += BigInt(feeNanos);
}

export function sameMoney(a: MoneySum, b: MoneySum): boolean {
  return a.impressions === b.impressions && a.grossNanos === b.grossNanos && a.feeNanos === b.feeNanos;
}

/** Whether each figure of `a` is at most that of `b`. */
export function withinMoney(a: MoneySum, b: MoneySum): boolean {
  return a.impressions <= b.impressions && a.grossNanos <= b.grossNanos && a.feeNanos <= b.feeNanos;
}

export function moneyText({ impressions, grossNanos, feeNanos }: MoneySum): string {
  return `${impressions} impressions, gross ${grossNanos}, fee ${feeNanos}`;
}

/** Sums by key; a sum is made when it is first read. */
export class MoneyTable {
  readonly #sums = new Map<string, MoneySum>();

  of(key: string): MoneySum {
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = noMoney();
      this.#sums.set(key, sum);
    }
    return sum;
  }

  get keys(): string[] {
    return [...this.#sums.keys()].sort();
  }
}
