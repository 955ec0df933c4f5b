/** Sums over the window. */
export interface CallTotals {
  readonly calls: number;
  readonly timeouts: number;
  readonly errors: number;
  /** Calls that reached the bidder, and the sum of their latencies. */
  readonly timed: number;
  readonly latencyMs: number;
}

const NO_COUNTS = new Uint32Array(0);
const NO_SUMS = new Float64Array(0);

/**
 * Calls, timeouts, errors and latencies over a sliding window of buckets, in constant memory and time. Its buckets take
 * 8 KB and are made with the first call: most sandbox bidders are never called.
 */
export class RollingCounts {
  readonly #bucketMs: number;
  readonly #buckets: number;
  #calls = NO_COUNTS;
  #timeouts = NO_COUNTS;
  #errors = NO_COUNTS;
  #timed = NO_COUNTS;
  #latencyMs = NO_SUMS;
  /** Number of the newest bucket: time ÷ bucketMs. */
  #newest = 0;

  constructor(windowMs: number, buckets: number) {
    this.#bucketMs = windowMs / buckets;
    this.#buckets = buckets;
  }

  answered(nowMs: number, latencyMs = 0): void {
    this.#count(nowMs, latencyMs);
  }

  timedOut(nowMs: number, latencyMs = 0): void {
    const bucket = this.#count(nowMs, latencyMs);
    this.#timeouts[bucket]!++;
  }

  failed(nowMs: number, latencyMs = 0): void {
    const bucket = this.#count(nowMs, latencyMs);
    this.#errors[bucket]!++;
  }

  totals(nowMs: number): CallTotals {
    this.#bucketAt(nowMs);
    return {
      calls: sum(this.#calls),
      timeouts: sum(this.#timeouts),
      errors: sum(this.#errors),
      timed: sum(this.#timed),
      latencyMs: sum(this.#latencyMs),
    };
  }

  clear(): void {
    this.#calls.fill(0);
    this.#timeouts.fill(0);
    this.#errors.fill(0);
    this.#timed.fill(0);
    this.#latencyMs.fill(0);
  }

  /** Counts one call and returns its bucket. */
  #count(nowMs: number, latencyMs: number): number {
    if (this.#calls.length === 0) this.#allocate();
    const bucket = this.#bucketAt(nowMs);
    this.#calls[bucket]!++;
    if (latencyMs > 0) {
      this.#timed[bucket]!++;
      this.#latencyMs[bucket]! += latencyMs;
    }
    return bucket;
  }

  #allocate(): void {
    this.#calls = new Uint32Array(this.#buckets);
    this.#timeouts = new Uint32Array(this.#buckets);
    this.#errors = new Uint32Array(this.#buckets);
    this.#timed = new Uint32Array(this.#buckets);
    this.#latencyMs = new Float64Array(this.#buckets);
  }

  /** The bucket of `nowMs`; empties the buckets that have left the window since the last call. */
  #bucketAt(nowMs: number): number {
    const size = this.#buckets;
    const number = Math.floor(nowMs / this.#bucketMs);
    const passed = number - this.#newest;
    if (passed >= size) this.clear();
    else
      for (let i = 1; i <= passed; i++) {
        const left = (this.#newest + i) % size;
        this.#calls[left] = 0;
        this.#timeouts[left] = 0;
        this.#errors[left] = 0;
        this.#timed[left] = 0;
        this.#latencyMs[left] = 0;
      }
    if (passed > 0) this.#newest = number;
    return this.#newest % size;
  }
}

function sum(counts: Uint32Array | Float64Array): number {
  let total = 0;
  for (let i = 0; i < counts.length; i++) total += counts[i]!;
  return total;
}
