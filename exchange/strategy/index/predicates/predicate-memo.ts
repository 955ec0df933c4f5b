/** Texts remembered of all fields; beyond it, they are forgotten together. */
const REMEMBERED = 32_768;
/**
 * A longer text is not remembered: values may have 10,000 characters, and those that many campaigns state are short.
 */
const LONGEST = 64;

interface Remembered {
  readonly id: number;
  readonly predicate: object;
}

type ByText = Map<string, Remembered>;

/**
 * The predicates that conditions were compiled to, by what they state. Many campaigns state the same, and reading it
 * costs more than all else that is done for a condition.
 *
 * A predicate in it may have been released: whoever looks one up must check that its number still stands for it
 * (`PredicateTable.holdSame`). What released predicates take here is bounded for all fields together, since both the
 * number of texts and their length are; and nothing is kept of a path
 * that no predicate uses.
 */
export class PredicateMemo {
  readonly #byField = new Map<string, Map<string, ByText>>();
  #size = 0;

  /** The number of texts remembered. */
  get size(): number {
    return this.#size;
  }

  /** `kind`: what the text states of the field: the operator of a condition, or a part of a targeting. */
  get(field: string, kind: string, text: string): Remembered | undefined {
    return this.#byField.get(field)?.get(kind)?.get(text);
  }

  remember(field: string, kind: string, text: string, id: number, predicate: object): void {
    if (text.length > LONGEST) return;
    if (this.#size >= REMEMBERED) {
      this.#byField.clear();
      this.#size = 0;
    }
    const texts = this.#textsOf(field, kind);
    const before = texts.size;
    texts.set(text, { id, predicate });
    this.#size += texts.size - before;
  }

  /** Forgets all of a field. */
  forget(field: string): void {
    const kinds = this.#byField.get(field);
    if (kinds === undefined) return;
    for (const texts of kinds.values()) this.#size -= texts.size;
    this.#byField.delete(field);
  }

  #textsOf(field: string, kind: string): ByText {
    let kinds = this.#byField.get(field);
    if (kinds === undefined) {
      kinds = new Map();
      this.#byField.set(field, kinds);
    }
    let texts = kinds.get(kind);
    if (texts === undefined) {
      texts = new Map();
      kinds.set(kind, texts);
    }
    return texts;
  }
}
