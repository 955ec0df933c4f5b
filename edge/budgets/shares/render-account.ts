import type { SumChange } from '../../../runtime/ports/expiring-sums.ts';
import { SharedSum } from '../../pace/shared-sum.ts';

interface RenderBucket {
  readonly sold: SharedSum;
  readonly shown: SharedSum;
}

/** How long sums are remembered, and in what steps. */
export interface AccountSpan {
  readonly bucketMs: number;
  /** What was sold before it is forgotten, bucket by bucket. */
  readonly spanMs: number;
  /** How old what was read may become before it is read again; 0: with each exchange. */
  readonly readEveryMs: number;
}

/**
 * What was sold to a publisher and what of it was rendered, in buckets of the time of sale, as one edge knows it: what all edges
 * had said when it last read, and what it has added itself. Amounts are whole: nano-dollars of one budget, or impressions.
 */
export class RenderAccount {
  readonly #key: string;
  readonly #span: AccountSpan;
  readonly #buckets = new Map<number, RenderBucket>();
  /** Sold here since it was last read what all have. */
  soldSinceRead = 0;
  askedAtMs = 0;
  /** Last time that it was read, ms since the epoch; 0: never. */
  readAtMs = 0;

  constructor(key: string, span: AccountSpan) {
    this.#key = key;
    this.#span = span;
  }

  get readEveryMs(): number {
    return this.#span.readEveryMs;
  }

  addSold(amount: number, soldAtMs: number): void {
    this.#bucket(soldAtMs).sold.add(amount);
    this.soldSinceRead += amount;
  }

  /** Rendered; or given back, which holds as little. */
  addRendered(amount: number, soldAtMs: number): void {
    this.#bucket(soldAtMs).shown.add(amount);
  }

  /** As far as it is known here. What is rendered and was sold under other terms is not held less than nothing. */
  unrendered(nowMs: number): number {
    let sum = 0;
    for (const { sold, shown } of this.#kept(nowMs)) sum += Math.max(0, sold.value - shown.value);
    return sum;
  }

  totals(nowMs: number): { readonly sold: number; readonly shown: number } {
    let [sumSold, sumShown] = [0, 0];
    for (const { sold, shown } of this.#kept(nowMs)) {
      sumSold += sold.value;
      sumShown += shown.value;
    }
    return { sold: sumSold, shown: sumShown };
  }

  /** Whether nothing of it is to be sent. */
  get isSettled(): boolean {
    for (const { sold, shown } of this.#buckets.values()) if (!sold.settled || !shown.settled) return false;
    return true;
  }

  /** What is to be sent, each with the sum that is to hear of it. */
  changes(): { readonly sum: SharedSum; readonly change: SumChange }[] {
    const changes: { sum: SharedSum; change: SumChange }[] = [];
    for (const [startMs, { sold, shown }] of this.#buckets) {
      const expiresAtMs = startMs + this.#span.bucketMs + this.#span.spanMs;
      for (const sum of [sold, shown]) {
        const change = sum.take(expiresAtMs);
        if (change !== null) changes.push({ sum, change });
      }
    }
    return changes;
  }

  /** Every sum of it that may be other than 0 anywhere. */
  sums(nowMs: number): SharedSum[] {
    const { bucketMs, spanMs } = this.#span;
    const sums: SharedSum[] = [];
    for (let startMs = this.#startOf(nowMs - spanMs); startMs <= nowMs; startMs += bucketMs) {
      const { sold, shown } = this.#bucket(startMs);
      sums.push(sold, shown);
    }
    return sums;
  }

  *#kept(nowMs: number): Iterable<RenderBucket> {
    const { bucketMs, spanMs } = this.#span;
    for (const [startMs, bucket] of this.#buckets) {
      if (startMs + bucketMs + spanMs > nowMs) yield bucket;
      else this.#buckets.delete(startMs);
    }
  }

  #bucket(atMs: number): RenderBucket {
    const startMs = this.#startOf(atMs);
    let bucket = this.#buckets.get(startMs);
    if (bucket === undefined) {
      const key = `${this.#key}/${startMs}`;
      bucket = { sold: new SharedSum(`${key}/sold`), shown: new SharedSum(`${key}/shown`) };
      this.#buckets.set(startMs, bucket);
    }
    return bucket;
  }

  #startOf(atMs: number): number {
    return Math.floor(atMs / this.#span.bucketMs) * this.#span.bucketMs;
  }
}
