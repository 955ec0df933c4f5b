import type { BiddingCampaign } from '../bidding-campaign.ts';
import type { TargetingContext } from '../read-field.ts';
import { BestBids } from './best-bids.ts';
import { type CompiledCampaign, compileCampaign } from './compile-campaign.ts';
import type { Match } from './match.ts';
import { PredicateTable } from './predicates/predicate-table.ts';
import { ConjunctionTree } from './tree/conjunction-tree.ts';

/** What the index holds for one campaign. */
interface IndexedCampaign {
  readonly conjunctions: readonly number[];
  readonly predicates: readonly number[];
}

/**
 * All campaigns that an edge knows, arranged so that a request finds those that may bid on it without looking at the
 * others (docs/decisions/0016). Documents are compiled when they are put, and not kept.
 */
export class CampaignIndex {
  readonly #table: PredicateTable;
  readonly #tree: ConjunctionTree;
  readonly #held = new Map<string, IndexedCampaign>();
  readonly #bids = new BestBids();

  /** `lastEpoch`: the number of requests after which epochs start again at 1. */
  constructor(lastEpoch?: number) {
    this.#table = new PredicateTable(lastEpoch);
    this.#tree = new ConjunctionTree(this.#table);
  }

  /** The size of the index. `places` may be more than `conjunctions`, since a conjunction can have several places. */
  stats(): { campaigns: number; conjunctions: number; predicates: number; places: number; nodes: number } {
    return {
      campaigns: this.#held.size,
      conjunctions: this.#bids.size,
      predicates: this.#table.size,
      ...this.#tree.stats(),
    };
  }

  /** Adds a campaign, or replaces the one with the same id. `owner` is the id of its demand source. */
  put(id: string, owner: string, campaign: BiddingCampaign): void {
    const compiled = compileCampaign(id, owner, campaign, this.#table);
    // The old campaign is removed after the new one was compiled, so that predicates of both are not made again.
    this.remove(id);
    this.#held.set(id, this.#hold(compiled));
  }

  /** Removes a campaign; does nothing when there is none with this id. */
  remove(id: string): void {
    const indexed = this.#held.get(id);
    if (indexed === undefined) return;
    this.#held.delete(id);
    for (const conjunction of indexed.conjunctions) this.#tree.remove(conjunction);
    this.#bids.release(indexed.conjunctions);
    for (const predicate of indexed.predicates) this.#table.release(predicate);
  }

  /**
   * Finds all campaigns that may bid on `targeting.imp`, in no particular order. Such a campaign is not paused, its
   * targeting holds, a rule of it matches where it has rules, its price is above 0, and the imp can show one of its
   * creatives. `admits` is called at most once for an owner, and must not change the index. A match that did not change
   * since the last call is the same object.
   */
  match(targeting: TargetingContext, nowMs: number, admits: (owner: string) => boolean): readonly Match[] {
    const { epoch } = this.#table.begin(targeting, nowMs, admits);
    this.#bids.begin(epoch);
    this.#tree.search(this.#bids);
    return this.#bids.matches();
  }

  #hold({ bids, predicates }: CompiledCampaign): IndexedCampaign {
    const conjunctions = this.#bids.hold(bids);
    for (let at = 0; at < bids.length; at++) this.#tree.add(conjunctions[at]!, bids[at]!.predicates);
    return { conjunctions, predicates };
  }
}
