/** The number of callers that may wait for a permit of each key, and the error that later callers get. */
export interface WaitBound {
  readonly waiting: number;
  readonly refusal: () => Error;
}

export interface SemaphoreUse {
  /** Each key has its own permits; without a key all callers share one set. */
  readonly key?: string;
  /** An abort ends the wait, but not the work. */
  readonly signal?: AbortSignal;
}

interface Row {
  underWay: number;
  readonly waiting: Set<() => void>;
}

/** Limits the number of works that run at once for each key; the others wait, first come, first served. */
export class Semaphore {
  readonly #permits: number;
  readonly #bound: WaitBound | undefined;
  readonly #rows = new Map<string, Row>();

  /** Without `bound`, any number may wait. */
  constructor(row: number, bound?: WaitBound) {
    this.#permits = row;
    this.#bound = bound;
  }

  /**
   * Runs the work when a permit is free: before this method returns, if one is free now. Rejects with the reason of
   * `signal` when that is aborted before the work starts, and with the bound's error when too many callers wait.
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

  /** Hands the permit to the first waiting caller, so that `underWay` does not change, or frees it. */
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
