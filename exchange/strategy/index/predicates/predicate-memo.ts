/** Texts remembered; beyond it, they are forgotten together. */
const REMEMBERED = 4_096;

interface Remembered {
  readonly id: number;
  readonly predicate: object;
}

/**
 * The predicates that conditions were compiled to, by what they state. Many campaigns state the same, and reading it
 * costs more than all else that is done for a condition. It holds no predicate: whoever looks one up must check that its
 * number still stands for it (`PredicateTable.holdSame`).
 */
export class PredicateMemo {
  readonly #byText = new Map<string, Remembered>();

  get(text: string): Remembered | undefined {
    return this.#byText.get(text);
  }

  remember(text: string, id: number, predicate: object): void {
    if (this.#byText.size >= REMEMBERED) this.#byText.clear();
    this.#byText.set(text, { id, predicate });
  }
}
