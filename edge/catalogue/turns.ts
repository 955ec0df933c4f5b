import { LRUCache } from 'lru-cache';

/** Campaigns, each with the sets of its creatives that take turns; one that did not bid for long begins anew. */
const REMEMBERED = 20_000;

/** Whose turn it is among the creatives of campaigns that show theirs `round_robin`, counted by this edge. */
export class CreativeRotation {
  readonly #taken = new LRUCache<string, number>({ max: REMEMBERED });

  /**
   * How many turns came before among the same creatives, `among` being their names: what fits one imp may not fit the next, and
   * creatives that share a count without sharing their imps would keep missing their turns.
   */
  next(campaignId: string, among: string): number {
    const key = `${campaignId}\n${among}`;
    const before = this.#taken.get(key) ?? 0;
    this.#taken.set(key, before + 1);
    return before;
  }
}
