import { LRUCache } from 'lru-cache';

/**
 * Upper bound of campaigns remembered, each with the sets of its creatives that take turns. A campaign that is
 * forgotten starts anew.
 */
const REMEMBERED = 20_000;

/** Takes turns among the creatives of `round_robin` campaigns, counted by this edge. */
export class CreativeRotation {
  readonly #taken = new LRUCache<string, number>({ max: REMEMBERED });

  /**
   * The number of earlier turns among the same creatives; `among` is their names. The creatives that fit one imp may
   * not fit the next: creatives that shared a count without sharing imps would keep missing their turns.
   */
  next(campaignId: string, among: string): number {
    const key = `${campaignId}\n${among}`;
    const before = this.#taken.get(key) ?? 0;
    this.#taken.set(key, before + 1);
    return before;
  }
}
