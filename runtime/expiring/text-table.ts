import type { Clock } from '../ports/clock.ts';
import { CountersUnavailable } from '../ports/errors.ts';
import type { ExpiringTexts } from '../ports/expiring-texts.ts';

interface KeptText {
  readonly text: string;
  readonly cancel: () => void;
}

/** Texts in the memory of one process, each with a timer of its own. Who writes bounds their number. */
export class TextTable implements ExpiringTexts {
  readonly #texts = new Map<string, KeptText>();
  readonly #clock: Clock;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async put(name: string, text: string, forMs: number): Promise<void> {
    this.#assertOpen();
    this.#texts.get(name)?.cancel();
    this.#texts.set(name, { text, cancel: this.#clock.after(forMs, () => this.#texts.delete(name)) });
  }

  async get(name: string): Promise<string | null> {
    this.#assertOpen();
    return this.#texts.get(name)?.text ?? null;
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#texts.values()) cancel();
    this.#texts.clear();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new CountersUnavailable('the texts are closed');
  }
}
