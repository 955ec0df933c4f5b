import type { Match } from './match.ts';
import type { MatchSink } from './tree/node.ts';

/**
 * The bids of all campaigns, each under the number of its conjunction. In each evaluation it collects the bids that
 * were found and keeps the best of each campaign.
 */
export class BestBids implements MatchSink {
  /** By conjunction: its bid. Null stands for a bid of 0, with which its campaign does not bid. */
  readonly #matches: (Match | null)[] = [];
  readonly #free: number[] = [];
  /** By conjunction: the rank of its bid among those of its campaign; the best has 0. */
  #ranks = new Int32Array(256);
  /** By conjunction: the first conjunction of its campaign, that of the best bid, which identifies the campaign. */
  #firsts = new Int32Array(256);
  /**
   * By a campaign's first conjunction: the best bid that was found; `#foundIn` holds the epoch in which it was found.
   */
  #best = new Int32Array(256);
  #foundIn = new Int32Array(256);
  #epoch = 0;
  /** The campaigns that were found, by their first conjunctions. */
  #found: number[] = [];

  /** The number of bids. */
  get size(): number {
    return this.#matches.length - this.#free.length;
  }

  /** Assigns numbers to the bids of a campaign, given the best first. */
  hold(bids: readonly { readonly match: Match | null }[]): readonly number[] {
    const conjunctions = bids.map(({ match }) => {
      const conjunction = this.#free.pop() ?? this.#matches.length;
      this.#matches[conjunction] = match;
      return conjunction;
    });
    if (this.#matches.length > this.#ranks.length) this.#lengthen();
    for (let rank = 0; rank < conjunctions.length; rank++) {
      const conjunction = conjunctions[rank]!;
      this.#ranks[conjunction] = rank;
      this.#firsts[conjunction] = conjunctions[0]!;
      this.#foundIn[conjunction] = 0;
    }
    return conjunctions;
  }

  release(conjunctions: readonly number[]): void {
    for (const conjunction of conjunctions) {
      this.#matches[conjunction] = null;
      this.#free.push(conjunction);
    }
  }

  /** Starts an evaluation. Epochs that start again do so with 1. */
  begin(epoch: number): void {
    if (epoch === 1) this.#foundIn.fill(0);
    this.#epoch = epoch;
    this.#found = [];
  }

  found(conjunction: number): void {
    const first = this.#firsts[conjunction]!;
    if (this.#foundIn[first] !== this.#epoch) {
      this.#foundIn[first] = this.#epoch;
      this.#best[first] = conjunction;
      this.#found.push(first);
    } else if (this.#ranks[conjunction]! < this.#ranks[this.#best[first]!]!) {
      this.#best[first] = conjunction;
    }
  }

  /** The best bid of each campaign that was found since `begin`. */
  matches(): Match[] {
    const matches: Match[] = [];
    for (const first of this.#found) {
      const match = this.#matches[this.#best[first]!]!;
      if (match !== null) matches.push(match);
    }
    return matches;
  }

  #lengthen(): void {
    const length = 2 * this.#matches.length;
    this.#ranks = longer(this.#ranks, length);
    this.#firsts = longer(this.#firsts, length);
    this.#best = longer(this.#best, length);
    this.#foundIn = longer(this.#foundIn, length);
  }
}

function longer(numbers: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const all = new Int32Array(length);
  all.set(numbers);
  return all;
}
