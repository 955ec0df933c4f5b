/** Sums over the window. */
export interface CallTotals {
  readonly calls: number;
  readonly timeouts: number;
  readonly errors: number;
  /** Calls that got as far as the bidder, and the sum of their latencies. */
  readonly timed: number;
  readonly latencyMs: number;
}

/** Calls, timeouts, errors and latencies over a sliding window, kept in buckets: constant memory, constant time. */
export class RollingCounts {
  readonly #bucketMs: number;
  readonly #calls: Uint32Array;
  readonly #timeouts: Uint32Array;
  readonly #errors: Uint32Array;
  readonly #timed: Uint32Array;
  readonly #latencyMs: Float64Array;
  /** Number of the newest bucket: time ÷ bucketMs. */
  #newest = 0;

  constructor(windowMs: number, buckets: number) {
    this.#bucketMs = windowMs / buckets;
    this.#calls = new Uint32Array(buckets);
    this.#timeouts = new Uint32Array(buckets);
    this.#errors = new Uint32Array(buckets);
    this.#timed = new Uint32Array(buckets);
    this.#latencyMs = new Float64Array(buckets);
  }

  answered(nowMs: number, latencyMs = 0): void {
    this.#count(nowMs, latencyMs);
  }

  timedOut(nowMs: number, latencyMs = 0): void {
    this.#timeouts[this.#count(nowMs, latencyMs)]!++;
  }

  failed(nowMs: number, latencyMs = 0): void {
    this.#errors[this.#count(nowMs, latencyMs)]!++;
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

  /** One more call; answers its bucket. */
  #count(nowMs: number, latencyMs: number): number {
    const bucket = this.#bucketAt(nowMs);
    this.#calls[bucket]!++;
    if (latencyMs > 0) {
      this.#timed[bucket]!++;
      this.#latencyMs[bucket]! += latencyMs;
    }
    return bucket;
  }

  /** The bucket of `nowMs`, after emptying those that have left the window since the last call. */
  #bucketAt(nowMs: number): number {
    const size = this.#calls.length;
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
