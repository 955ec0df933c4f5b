/** The part of `Map` that a generation needs. */
interface Table<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): unknown;
  delete(key: K): unknown;
}

/**
 * A bounded memory of two generations: an entry is found for at least `spanMs` and forgotten after at most twice that,
 * at the cost of two tables. When more than `maxKeys` arrive in one span, the span is shortened: the oldest are
 * forgotten first.
 */
export class GenerationalCache<K, V> {
  readonly #spanMs: number;
  readonly #maxKeys: number;
  readonly #newTable: () => Table<K, V>;
  #young: Table<K, V>;
  #old: Table<K, V>;
  #turnAtMs: number;

  constructor(spanMs: number, maxKeys: number, nowMs: number, newTable: () => Table<K, V> = () => new Map<K, V>()) {
    this.#newTable = newTable;
    this.#young = newTable();
    this.#old = newTable();
    this.#spanMs = spanMs;
    // The bound is for both generations together.
    this.#maxKeys = Math.max(1, Math.floor(maxKeys / 2));
    this.#turnAtMs = nowMs + spanMs;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K, nowMs: number): V | undefined {
    if (nowMs >= this.#turnAtMs) this.#turn(nowMs);
    return this.#young.get(key) ?? this.#old.get(key);
  }

  put(key: K, value: V, nowMs: number): void {
    const isFull = this.#young.size >= this.#maxKeys && !this.#young.has(key);
    if (isFull || nowMs >= this.#turnAtMs) this.#turn(nowMs);
    this.#young.set(key, value);
  }

  remove(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #turn(nowMs: number): void {
    const quietMs = nowMs - this.#turnAtMs;
    this.#old = quietMs >= this.#spanMs ? this.#newTable() : this.#young;
    this.#young = this.#newTable();
    // Whether generations turn by time alone: they then stay in step with `spanMs`, so that no entry stays for longer
    // than two spans.
    const inStep = quietMs >= 0 && quietMs < this.#spanMs;
    this.#turnAtMs = (inStep ? this.#turnAtMs : nowMs) + this.#spanMs;
  }
}
