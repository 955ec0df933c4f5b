/** How many may wait for a permit of each key, and what those are refused with who come after them. */
export interface WaitBound {
  readonly waiting: number;
  readonly refusal: () => Error;
}

export interface SemaphoreUse {
  /** Each key has its permits; one for all where absent. */
  readonly key?: string;
  /** Ends the wait, and not the work. */
  readonly signal?: AbortSignal;
}

interface Row {
  underWay: number;
  readonly waiting: Set<() => void>;
}

/** Lets so much work of each key go on at once; the rest waits, first come, first served. */
export class Semaphore {
  readonly #permits: number;
  readonly #bound: WaitBound | undefined;
  readonly #rows = new Map<string, Row>();

  /** Without `bound`, any number may wait. */
  constructor(permits: number, bound?: WaitBound) {
    this.#permits = permits;
    this.#bound = bound;
  }

  /**
   * Works when a permit is free: before it returns, where one is. Rejects with the reason of `signal` when that is aborted before
   * the work begins, and with the bound's refusal when too many wait.
   */
  async run<T>(work: () => Promise<T>, { key = '', signal }: SemaphoreUse = {}): Promise<T> {
    signal?.throwIfAborted();
    const row = this.#rowOf(key);
    if (row.underWay < this.#permits) row.underWay += 1;
    else {
      if (this.#bound !== undefined && row.waiting.size >= this.#bound.waiting) throw this.#bound.refusal();
      await permitIn(row, signal);
    }
    try {
      return await work();
    } finally {
      this.#passOn(key, row);
    }
  }

  #rowOf(key: string): Row {
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = { underWay: 0, waiting: new Set() };
      this.#rows.set(key, row);
    }
    return row;
  }

  /** The first that waits takes the permit over, so `underWay` stays as it is. */
  #passOn(key: string, row: Row): void {
    const [next] = row.waiting;
    if (next !== undefined) {
      row.waiting.delete(next);
      next();
      return;
    }
    row.underWay -= 1;
    if (row.underWay === 0) this.#rows.delete(key);
  }
}

function permitIn({ waiting }: Row, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onPermit = () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = () => {
      waiting.delete(onPermit);
      reject(signal?.reason);
    };
    waiting.add(onPermit);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
