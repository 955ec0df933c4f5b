import { type StoreToken, tokenOf } from '../ports/store-token.ts';

/** The maximum number of recent writes that a majority may lack when a primary steps down. */
const BEHIND_AT_MOST = 40;

interface Undo<T> {
  readonly at: number;
  readonly key: string;
  readonly before: T | null;
}

/**
 * The state that a majority of the store's servers has. No acknowledged write is ever lost; but after an election reads
 * may be answered, for a while, as of an earlier write, unless they carry a token of a later one.
 */
export class StoreMajority<T> {
  /** The number of times that a primary stepped down. */
  stepdowns = 0;
  /** The number of reads that were answered with less than was acknowledged. */
  staleAnswers = 0;
  #writes = 0;
  #undo: Undo<T>[] = [];
  #behind: number | null = null;

  get token(): StoreToken {
    return tokenOf(BigInt(this.#writes), 'simulated');
  }

  wrote(key: string, before: T | null): void {
    this.#writes += 1;
    this.#undo.push({ at: this.#writes, key, before });
    const oldest = (this.#behind ?? this.#writes) - BEHIND_AT_MOST;
    if (this.#undo[0]!.at < oldest) this.#undo = this.#undo.filter(({ at }) => at >= oldest);
  }

  /** Lets reads lag behind from now on. `draw` returns a random number below its argument. */
  stepDown(draw: (below: number) => number): void {
    this.stepdowns += 1;
    this.#behind ??= Math.max(0, this.#writes - 1 - draw(BEHIND_AT_MOST));
  }

  /** Lets the majority have all writes. */
  catchUp(): void {
    this.#behind = null;
  }

  /** The write as of which a read after `token` is answered; null for the present state. */
  pointAfter(token: StoreToken): number | null {
    if (this.#behind === null || token >= tokenOf(BigInt(this.#behind + 1), '')) return null;
    return this.#behind;
  }

  tokenAt(point: number | null): StoreToken {
    return point === null ? this.token : tokenOf(BigInt(point), 'simulated');
  }

  /** The value of `key` at the point; `now` when it has not changed since. */
  asOf(point: number | null, key: string, now: T | null): T | null {
    if (point === null) return now;
    const changed = this.#undo.find((undo) => undo.at > point && undo.key === key);
    if (changed === undefined) return now;
    this.staleAnswers += 1;
    return changed.before;
  }
}
