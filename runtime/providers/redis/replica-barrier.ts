import { LogUnavailable } from '../../ports/errors.ts';

/**
 * Holds acknowledgements back until enough replicas have what was written (law 12). WAIT covers everything that its
 * connection wrote before, so one serves all writes of the same moment.
 */
export class ReplicaBarrier {
  readonly #replicas: number;
  readonly #wait: () => Promise<number>;
  #next: Promise<number> | undefined;

  /** `wait` sends WAIT and resolves with how many replicas have acknowledged. */
  constructor(replicas: number, wait: () => Promise<number>) {
    this.#replicas = replicas;
    this.#wait = wait;
  }

  /** Resolves as `write`, which has just been sent, once enough replicas have it too. */
  async cover<T>(write: Promise<T>): Promise<T> {
    if (this.#replicas === 0) return write;
    this.#next ??= new Promise((resolve, reject) => {
      process.nextTick(() => {
        this.#next = undefined;
        this.#wait().then(resolve, reject);
      });
    });
    const [answer, reached] = await Promise.all([write, this.#next]);
    if (reached < this.#replicas) {
      throw new LogUnavailable(`only ${reached} of ${this.#replicas} replicas acknowledged the write in time`);
    }
    return answer;
  }
}
