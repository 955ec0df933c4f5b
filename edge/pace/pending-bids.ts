import type { CampaignPace, RequestBidTotals } from './campaign-pace.ts';

/**
 * One request's bids, which the pace counts as if they had won while the auction waits. Nothing else is planned during
 * an auction that waits for nothing, so its bids need not be counted at all: it must be added before each wait.
 */
export class PendingBids {
  readonly #pace: Pick<CampaignPace, 'addPendingBids' | 'removePendingBids'>;
  readonly #bids: RequestBidTotals;
  #isAdded = false;

  constructor(pace: Pick<CampaignPace, 'addPendingBids' | 'removePendingBids'>, bids: RequestBidTotals) {
    this.#pace = pace;
    this.#bids = bids;
  }

  /** Called before the auction waits; repeats do nothing. */
  add(): void {
    if (this.#isAdded) return;
    this.#isAdded = true;
    this.#pace.addPendingBids(this.#bids);
  }

  /** Called when the auction is over and its sales are reserved. */
  remove(): void {
    if (!this.#isAdded) return;
    this.#isAdded = false;
    this.#pace.removePendingBids(this.#bids);
  }
}
