import type { Clock } from '../ports/clock.ts';
import type { ExpiringTexts } from '../ports/expiring-texts.ts';

interface KeptText {
  readonly text: string;
  readonly cancel: () => void;
}

/** Texts in the memory of one process, each with a timer of its own. Who writes bounds their number. */
export class TextTable implements ExpiringTexts {
  readonly #texts = new Map<string, KeptText>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async put(name: string, text: string, forMs: number): Promise<void> {
    this.#texts.get(name)?.cancel();
    this.#texts.set(name, { text, cancel: this.#clock.after(forMs, () => this.#texts.delete(name)) });
  }

  async get(name: string): Promise<string | null> {
    return this.#texts.get(name)?.text ?? null;
  }

  clear(): void {
    for (const { cancel } of this.#texts.values()) cancel();
    this.#texts.clear();
  }
}
