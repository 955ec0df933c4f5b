import type { SumChange } from '#runtime/ports/expiring-sums';
import { SharedSum } from '../../pace/shared-sum.ts';

interface RenderBucket {
  readonly sold: SharedSum;
  readonly shown: SharedSum;
}

/** How long sums are remembered, and in which steps. */
export interface AccountSpan {
  readonly bucketMs: number;
  /** ms for which sales are remembered, bucket by bucket. */
  readonly spanMs: number;
  /** Greatest age of a read sum, ms, before it is read again; 0: with each exchange. */
  readonly readEveryMs: number;
}

/**
 * The amounts sold to a publisher and those of them that were rendered, in buckets of the time of sale, as one edge
 * knows them: the sums of all edges when it last read them, and its own additions since. Amounts are whole:
 * nano-dollars of one budget, or impressions.
 */
export class RenderAccount {
  readonly #key: string;
  readonly #span: AccountSpan;
  readonly #buckets = new Map<number, RenderBucket>();
  /** Amount sold here since the sums of all edges were last read. */
  soldSinceRead = 0;
  /** Last time that an auction asked for what is held, monotonic ms. */
  askedAtMs = Number.NEGATIVE_INFINITY;
  /** Last time that the sums were read, monotonic ms. */
  readAtMs = Number.NEGATIVE_INFINITY;

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

  /** Adds an amount that is no longer held: it was rendered, or returned. */
  addRendered(amount: number, soldAtMs: number): void {
    this.#bucket(soldAtMs).shown.add(amount);
  }

  /**
   * The unrendered amount, as far as this edge knows. A bucket with more rendered than sold, because its sales were
   * made under other limits, counts as 0.
   */
  unrendered(nowMs: number): number {
    let sum = 0;
    this.#forgetOver(nowMs);
    for (const { sold, shown } of this.#buckets.values()) sum += Math.max(0, sold.value - shown.value);
    return sum;
  }

  totals(nowMs: number): { readonly sold: number; readonly shown: number } {
    let sumSold = 0;
    let sumShown = 0;
    this.#forgetOver(nowMs);
    for (const { sold, shown } of this.#buckets.values()) {
      sumSold += sold.value;
      sumShown += shown.value;
    }
    return { sold: sumSold, shown: sumShown };
  }

  /** Number of sums in memory. */
  get size(): number {
    return 2 * this.#buckets.size;
  }

  /** Whether there is nothing to send. */
  get isSettled(): boolean {
    for (const { sold, shown } of this.#buckets.values()) if (!sold.settled || !shown.settled) return false;
    return true;
  }

  /**
   * The changes to send, each with the sum that will be told of its arrival. Forgets the buckets that are over, whose
   * sums have expired: nobody may ask for what a publisher without a limit holds.
   */
  changes(nowMs: number): { readonly sum: SharedSum; readonly change: SumChange }[] {
    this.#forgetOver(nowMs);
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

  /** Every sum of the account that may be other than 0 at any edge. */
  sums(nowMs: number): SharedSum[] {
    const { bucketMs, spanMs } = this.#span;
    const sums: SharedSum[] = [];
    for (let startMs = this.#startOf(nowMs - spanMs); startMs <= nowMs; startMs += bucketMs) {
      const { sold, shown } = this.#bucket(startMs);
      sums.push(sold, shown);
    }
    return sums;
  }

  #forgetOver(nowMs: number): void {
    const { bucketMs, spanMs } = this.#span;
    for (const startMs of this.#buckets.keys()) {
      if (startMs + bucketMs + spanMs <= nowMs) this.#buckets.delete(startMs);
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
