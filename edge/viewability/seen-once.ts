/** Time, ms, that one set of names covers. */
const SPAN_MS = 10 * 60_000;

/**
 * Recognizes repeated names. A name matters until `windowMs` after its own time. In memory, bounded: past `most` names
 * the oldest are forgotten first, and a new one that is older than all is not held.
 */
export class DeduplicationWindow {
  readonly #windowMs: number;
  readonly #maxNames: number;
  /** Sets of names by the start of their span. */
  readonly #spans = new Map<number, Set<string>>();
  #names = 0;

  constructor({ windowMs, most }: { readonly windowMs: number; readonly most: number }) {
    this.#windowMs = windowMs;
    this.#maxNames = most;
  }

  /** Number of names held now. */
  get size(): number {
    return this.#names;
  }

  has(name: string, atMs: number): boolean {
    return this.#spans.get(spanOf(atMs))?.has(name) ?? false;
  }

  /** True the first time. `atMs`: the name's own time, always the same for one name. */
  add(name: string, atMs: number, nowMs: number): boolean {
    const start = spanOf(atMs);
    const known = this.#spans.get(start);
    if (known?.has(name)) return false;
    if (known === undefined) this.#forget((oldest) => oldest + SPAN_MS + this.#windowMs <= nowMs);
    if (this.#names >= this.#maxNames) {
      const oldest = Math.min(...this.#spans.keys());
      // The name would be the oldest itself.
      if (start < oldest) return true;
      this.#drop(oldest);
    }
    this.#spanAt(start).add(name);
    this.#names += 1;
    return true;
  }

  #spanAt(start: number): Set<string> {
    let span = this.#spans.get(start);
    if (span === undefined) {
      span = new Set();
      this.#spans.set(start, span);
    }
    return span;
  }

  #forget(over: (startMs: number) => boolean): void {
    for (const start of this.#spans.keys()) if (over(start)) this.#drop(start);
  }

  #drop(start: number): void {
    this.#names -= this.#spans.get(start)?.size ?? 0;
    this.#spans.delete(start);
  }
}

function spanOf(atMs: number): number {
  return Math.floor(atMs / SPAN_MS) * SPAN_MS;
}
