import { LRUCache } from 'lru-cache';

/**
 * Upper bound of campaigns remembered, each with the sets of its creatives that take turns. A campaign that is
 * forgotten starts anew.
 */
const REMEMBERED = 20_000;

/**
 * Takes turns among the creatives of `round_robin` campaigns, counted by this edge.
 *
 * Requests come in rounds, in which each creative is the first of one request, in random order: in any fixed order, two
 * slots of a page that are asked for one after the other would each have the same creative for ever. Bids are counted
 * and not sales: a creative that a publisher does not take would otherwise keep its turn and the others from theirs.
 */
export class CreativeRotation {
  /** The places that are not yet taken in the round, by campaign and set of creatives. */
  readonly #left = new LRUCache<string, number[]>({ max: REMEMBERED });

  /** The turns of one request. */
  ofRequest(): RequestTurns {
    return new RequestTurns(this.#first);
  }

  readonly #first = (key: string, count: number, random: () => number): number => {
    let left = this.#left.get(key);
    if (left === undefined || left.length === 0) {
      left = Array.from({ length: count }, (_, place) => place);
      this.#left.set(key, left);
    }
    const at = Math.floor(random() * left.length);
    const place = left[at]!;
    left[at] = left.at(-1)!;
    left.pop();
    return place;
  };
}

/** The turns of one request: its imps take places that follow each other, so that a page shows different creatives. */
export class RequestTurns {
  readonly #first: (key: string, count: number, random: () => number) => number;
  #places: Map<string, number> | null = null;

  /** `first` answers where a request begins among so many creatives. */
  constructor(first: (key: string, count: number, random: () => number) => number) {
    this.#first = first;
  }

  /**
   * The place of the creative whose turn it is; it counts on beyond the last. `among` is the names of the creatives.
   * The creatives that fit one imp may not fit the next: creatives that shared their turns without sharing imps would
   * keep missing them. `random` is uniform in [0, 1).
   */
  next(campaignId: string, among: readonly string[], random: () => number): number {
    const key = `${campaignId}\n${among.join('\n')}`;
    const place = this.#places?.get(key) ?? this.#first(key, among.length, random);
    this.#places ??= new Map();
    this.#places.set(key, place + 1);
    return place;
  }
}
