/**
 * A bounded memory: what is put in is found for at least `spanMs`, and forgotten after twice that at most, at the cost of
 * two maps. When more than `maxKeys` come in one span, the span is cut short: the oldest are forgotten first.
 */
export class Generations<K, V> {
  readonly #spanMs: number;
  readonly #maxKeys: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #turnAtMs: number;

  constructor(spanMs: number, maxKeys: number, nowMs: number) {
    this.#spanMs = spanMs;
    // Both generations together are what is kept.
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
    if (nowMs >= this.#turnAtMs || this.#young.size >= this.#maxKeys) this.#turn(nowMs);
    this.#young.set(key, value);
  }

  remove(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #turn(nowMs: number): void {
    const quietMs = nowMs - this.#turnAtMs;
    this.#old = quietMs >= this.#spanMs ? new Map() : this.#young;
    this.#young = new Map();
    this.#turnAtMs = nowMs + this.#spanMs;
  }
}
