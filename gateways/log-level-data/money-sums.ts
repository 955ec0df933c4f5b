import { addNanos } from '#exchange/money/nanos';
import type { Side } from './layout.ts';

/** Billed impressions of one source in one hour; whole nano-dollars, exact as those of the ledgers' pages. */
export interface BilledSums {
  impressions: number;
  grossNanos: number;
  feeNanos: number;
}

export function noneBilled(): BilledSums {
  return { impressions: 0, grossNanos: 0, feeNanos: 0 };
}

/** Adds in place; throws `RangeError` where a sum would not be exact. */
export function addBilled(to: BilledSums, more: Readonly<BilledSums>): void {
  to.impressions += more.impressions;
  to.grossNanos = addNanos(to.grossNanos, more.grossNanos);
  to.feeNanos = addNanos(to.feeNanos, more.feeNanos);
}

export function sameBilled(a: Readonly<BilledSums>, b: Readonly<BilledSums>): boolean {
  return a.impressions === b.impressions && a.grossNanos === b.grossNanos && a.feeNanos === b.feeNanos;
}

/** Sums by source. */
export class SourceSums {
  readonly #sums: Readonly<Record<Side, Map<string, BilledSums>>> = { publisher: new Map(), dsp: new Map() };

  of(side: Side, id: string): BilledSums {
    let sum = this.#sums[side].get(id);
    if (sum === undefined) {
      sum = noneBilled();
      this.#sums[side].set(id, sum);
    }
    return sum;
  }

  get(side: Side, id: string): Readonly<BilledSums> {
    return this.#sums[side].get(id) ?? noneBilled();
  }

  ids(side: Side): string[] {
    return [...this.#sums[side].keys()];
  }
}
