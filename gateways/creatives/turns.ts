interface Row {
  underWay: number;
  readonly waiting: Set<() => void>;
}

/** Lets so many of each name through at once; the others wait, in order. */
export class Turns {
  readonly #atOnce: number;
  readonly #rows = new Map<string, Row>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Acts when it is its turn. Rejects with the reason of `signal` when that is aborted before. */
  async take<T>(name: string, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    let row = this.#rows.get(name);
    if (row === undefined) {
      row = { underWay: 0, waiting: new Set() };
      this.#rows.set(name, row);
    }
    if (row.underWay < this.#atOnce) row.underWay += 1;
    else await turnIn(row, signal);
    try {
      return await act();
    } finally {
      this.#passOn(name, row);
    }
  }

  /** Whoever is next takes the place over. */
  #passOn(name: string, row: Row): void {
    const [next] = row.waiting;
    if (next !== undefined) {
      row.waiting.delete(next);
      next();
      return;
    }
    row.underWay -= 1;
    if (row.underWay === 0) this.#rows.delete(name);
  }
}

function turnIn({ waiting }: Row, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onTurn = () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = () => {
      waiting.delete(onTurn);
      reject(signal.reason);
    };
    waiting.add(onTurn);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
