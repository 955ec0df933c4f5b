/** Whose turn it is among the creatives of campaigns that show theirs `round_robin`, counted by this edge. */
export class Turns {
  readonly #taken = new Map<string, Map<string, number>>();

  /**
   * How many turns came before among the same creatives, `among` being their names: what fits one imp may not fit the next, and
   * creatives that share a count without sharing their imps would keep missing their turns.
   */
  next(campaignId: string, among: string): number {
    let counts = this.#taken.get(campaignId);
    if (counts === undefined) {
      counts = new Map();
      this.#taken.set(campaignId, counts);
    }
    const before = counts.get(among) ?? 0;
    counts.set(among, before + 1);
    return before;
  }

  forget(campaignId: string): void {
    this.#taken.delete(campaignId);
  }
}
