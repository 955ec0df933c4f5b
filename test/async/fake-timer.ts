import type { Timer } from '../../async/pause.ts';

/** A timer whose time passes when it is told to. */
export class FakeTimer implements Timer {
  readonly #due = new Set<{ readonly atMs: number; readonly fire: () => void }>();
  #nowMs = 0;

  get pending(): number {
    return this.#due.size;
  }

  after(delayMs: number, fire: () => void): () => void {
    const one = { atMs: this.#nowMs + delayMs, fire };
    this.#due.add(one);
    return () => void this.#due.delete(one);
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    for (const one of [...this.#due]) {
      if (one.atMs > this.#nowMs) continue;
      this.#due.delete(one);
      one.fire();
    }
  }
}
