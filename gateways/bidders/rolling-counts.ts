/** Calls, timeouts and errors over a sliding window, kept in buckets: constant memory, constant time. */
export class RollingCounts {
  readonly #bucketMs: number;
  readonly #calls: Uint32Array;
  readonly #timeouts: Uint32Array;
  readonly #errors: Uint32Array;
  /** Number of the newest bucket: time ÷ bucketMs. */
  #newest = 0;

  constructor(windowMs: number, buckets: number) {
    this.#bucketMs = windowMs / buckets;
    this.#calls = new Uint32Array(buckets);
    this.#timeouts = new Uint32Array(buckets);
    this.#errors = new Uint32Array(buckets);
  }

  answered(nowMs: number): void {
    this.#calls[this.#bucketAt(nowMs)]!++;
  }

  timedOut(nowMs: number): void {
    const bucket = this.#bucketAt(nowMs);
    this.#calls[bucket]!++;
    this.#timeouts[bucket]!++;
  }

  failed(nowMs: number): void {
    const bucket = this.#bucketAt(nowMs);
    this.#calls[bucket]!++;
    this.#errors[bucket]!++;
  }

  totals(nowMs: number): { readonly calls: number; readonly timeouts: number; readonly errors: number } {
    this.#bucketAt(nowMs);
    return { calls: sum(this.#calls), timeouts: sum(this.#timeouts), errors: sum(this.#errors) };
  }

  clear(): void {
    this.#calls.fill(0);
    this.#timeouts.fill(0);
    this.#errors.fill(0);
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
      }
    if (passed > 0) this.#newest = number;
    return this.#newest % size;
  }
}

function sum(counts: Uint32Array): number {
  let total = 0;
  for (let i = 0; i < counts.length; i++) total += counts[i]!;
  return total;
}
