interface Waiting {
  readonly alone: boolean;
  readonly begin: () => void;
}

/**
 * Runs works beside each other or alone, first come, first served: a work that waits for others holds back later ones.
 */
export class SharedTurns {
  #underWay = 0;
  #alone = false;
  readonly #waiting: Waiting[] = [];

  /** Runs the work beside others that are not alone: before this method returns, if nothing holds it back. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(work, false);
  }

  /** Runs the work while no other runs: before this method returns, if none does. */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(work, true);
  }

  async #run<T>(work: () => Promise<T>, alone: boolean): Promise<T> {
    if (this.#waiting.length === 0 && this.#mayBegin(alone)) this.#begin(alone);
    else await new Promise<void>((begin) => this.#waiting.push({ alone, begin }));
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#alone = false;
      this.#beginWaiting();
    }
  }

  #mayBegin(alone: boolean): boolean {
    return this.#underWay === 0 || !(alone || this.#alone);
  }

  #begin(alone: boolean): void {
    this.#underWay += 1;
    this.#alone = alone;
  }

  #beginWaiting(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#mayBegin(next.alone); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#begin(next.alone);
      next.begin();
    }
  }
}
