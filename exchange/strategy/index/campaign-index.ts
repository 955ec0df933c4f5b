import type { BiddingCampaign } from '../bidding-campaign.ts';
import type { RequestView } from '../read-field.ts';
import { type CompiledCampaign, compileCampaign } from './compile-campaign.ts';
import { PredicateTable } from './predicates/predicate-table.ts';
import { ConjunctionTree } from './tree/conjunction-tree.ts';

/** A campaign that may bid on an imp. */
export interface Match {
  /** As it was put. */
  readonly id: string;
  readonly owner: string;
  /** The campaign's, not the rule's. */
  readonly priority: number;
  /** Whole micro-dollars CPM, above 0 and not above the campaign's `max_cpm`. */
  readonly bidCpmMicros: number;
  /** The rule that matched; null for a campaign that bids on its targeting alone. */
  readonly ruleId: string | null;
}

/** Where a campaign stands. */
interface Held {
  readonly conjunctions: readonly number[];
  readonly predicates: readonly number[];
}

/**
 * All campaigns that an edge knows, arranged so that one request finds those that may bid on it without looking at the
 * others (docs/decisions/0016). Documents are compiled when they are put, and not kept.
 */
export class CampaignIndex {
  readonly #table: PredicateTable;
  readonly #tree: ConjunctionTree;
  readonly #held = new Map<string, Held>();

  /** By conjunction: its bid; null for one of 0, with which its campaign does not bid. */
  readonly #matches: (Match | null)[] = [];
  /** By conjunction: where its bid stands among those of its campaign, the best at 0. */
  readonly #ranks: number[] = [];
  /** By conjunction: that of the campaign's best bid, which stands for the campaign. */
  readonly #firsts: number[] = [];
  readonly #free: number[] = [];

  /** By a campaign's first conjunction: the best that was found, and on which occasion. */
  readonly #best: number[] = [];
  readonly #foundIn: number[] = [];
  /** The campaigns found on the occasion, by their first conjunctions. */
  #found: number[] = [];
  #epoch = 0;

  /** `lastEpoch`: after how many requests their numbers begin anew. */
  constructor(lastEpoch?: number) {
    this.#table = new PredicateTable(lastEpoch);
    this.#tree = new ConjunctionTree(this.#table);
  }

  /** How large it is. A conjunction can stand in several places. */
  census(): { campaigns: number; conjunctions: number; predicates: number; places: number; nodes: number } {
    const conjunctions = this.#matches.length - this.#free.length;
    return {
      campaigns: this.#held.size,
      conjunctions,
      predicates: this.#table.size,
      ...this.#tree.census(),
    };
  }

  /** Adds a campaign, or puts it in the place of the one with the same id. `owner` is the id of its demand source. */
  put(id: string, owner: string, campaign: BiddingCampaign): void {
    const compiled = compileCampaign(id, owner, campaign, this.#table);
    // After the new one was compiled, so that what both share is made once.
    this.remove(id);
    this.#held.set(id, this.#hold(compiled));
  }

  /** Nothing happens when there is none with this id. */
  remove(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    for (const conjunction of held.conjunctions) {
      this.#tree.remove(conjunction);
      this.#matches[conjunction] = null;
      this.#free.push(conjunction);
    }
    for (const predicate of held.predicates) this.#table.release(predicate);
  }

  /**
   * Every campaign that may bid on `view.imp`: not paused, in its targeting, with a rule that matches where it has rules, a
   * price above 0 and a creative that the imp can show. In no order. `admits` is asked at most once for an owner, and must
   * not change the index. A match that is the same as the last time is the same object.
   */
  match(view: RequestView, nowMs: number, admits: (owner: string) => boolean): readonly Match[] {
    const { epoch } = this.#table.begin(view, nowMs, admits);
    // Epochs begin anew with the first.
    if (epoch === 1) this.#foundIn.fill(0);
    this.#epoch = epoch;
    this.#found = [];
    this.#tree.search(this);
    const matches: Match[] = [];
    for (const first of this.#found) {
      const match = this.#matches[this.#best[first]!]!;
      if (match !== null) matches.push(match);
    }
    return matches;
  }

  /** What the search tells: a conjunction holds. Of a campaign's, the best counts. */
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

  #hold({ bids, predicates }: CompiledCampaign): Held {
    const conjunctions = bids.map(() => this.#number());
    for (const [rank, { match, predicates: all }] of bids.entries()) {
      const conjunction = conjunctions[rank]!;
      this.#matches[conjunction] = match;
      this.#ranks[conjunction] = rank;
      this.#firsts[conjunction] = conjunctions[0]!;
      this.#tree.add(conjunction, all);
    }
    return { conjunctions, predicates };
  }

  /** Of a new conjunction. */
  #number(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    this.#best.push(0);
    this.#foundIn.push(0);
    return this.#matches.push(null) - 1;
  }
}
