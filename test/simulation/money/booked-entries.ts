import type { Impression, InvalidImpression } from '#actors/impression-rollup/messages';
import { feeNanos } from '#exchange/money/fee';
import type { Position } from '#runtime/ports/position';

/** One impression that the log holds, or held until it was covered: it must be billed, once, at the time of the log. */
export interface Billable {
  readonly impression: Impression;
  readonly position: Position;
  readonly atMs: number;
}

/** The same of an invalid call: it must be counted, once. */
export interface Invalid {
  readonly impression: InvalidImpression;
  readonly atMs: number;
}

/** What some impressions come to. */
export interface ModelSum {
  impressions: number;
  grossNanos: bigint;
  feeNanos: bigint;
}

/** What the model holds of some time: entries that are to be in the books, and what they come to. */
export class BookedEntries {
  readonly #billed: readonly Billable[];
  readonly #invalid: readonly Invalid[];

  constructor(billed: readonly Billable[], invalid: readonly Invalid[]) {
    this.#billed = billed;
    this.#invalid = invalid;
  }

  /** Of those that `of` says yes to. */
  sum(of: (one: Billable) => boolean): ModelSum {
    const sum: ModelSum = { impressions: 0, grossNanos: 0n, feeNanos: 0n };
    for (const one of this.#billed) {
      if (!of(one)) continue;
      const { priceCpmMicros, feePpm } = one.impression;
      sum.impressions += 1;
      sum.grossNanos += BigInt(priceCpmMicros);
      sum.feeNanos += BigInt(feeNanos(priceCpmMicros, feePpm));
    }
    return sum;
  }

  /** What books count of invalid traffic, of those that `of` says yes to, by name and sorted. */
  invalidCounts(of: (one: Billable | Invalid) => boolean): Record<string, number> {
    const counts: Record<string, number> = {};
    const add = (name: string, count: number) => {
      counts[name] = (counts[name] ?? 0) + count;
    };
    for (const one of this.#invalid) {
      if (!of(one)) continue;
      add(`invalid/${one.impression.reason}`, 1);
      add('invalidNanos', one.impression.priceCpmMicros);
    }
    for (const one of this.#billed) {
      const { revalidates, priceCpmMicros } = one.impression;
      if (revalidates === undefined || !of(one)) continue;
      add(`revalidated/${revalidates}`, 1);
      add('revalidatedNanos', priceCpmMicros);
    }
    return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
