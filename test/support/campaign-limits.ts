import type { FrequencyCap, FrequencyCaps } from '../../edge/delegates/frequency-caps.ts';
import type { CampaignPace, RequestBidTotals } from '../../edge/pace/campaign-pace.ts';

/** A pace that a test sets by hand. It records the reservations. */
export class ManualPace implements CampaignPace {
  /** Bid probabilities by campaign; 1 when a campaign is not set. */
  readonly probabilities = new Map<string, number>();
  readonly reserved: { readonly campaignId: string; readonly dspId: string; readonly priceNanos: number }[] = [];

  /** Sums of the bids in running auctions, by campaign and by demand source; empty between auctions. */
  readonly biddingNanos = new Map<string, number>();

  /** Campaigns whose spend is not known yet. */
  readonly unknown = new Set<string>();
  /** The read of unknown spend that is in progress, or null. */
  pendingRead: Promise<void> | null = null;

  bidProbability(campaignId: string): number | null {
    return this.unknown.has(campaignId) ? null : (this.probabilities.get(campaignId) ?? 1);
  }

  pendingReads(): Promise<void> | null {
    return this.pendingRead;
  }

  reserve(campaignId: string, dspId: string, priceNanos: number): void {
    this.reserved.push({ campaignId, dspId, priceNanos });
  }

  addPendingBids(bids: RequestBidTotals): void {
    for (const [of, nanos] of bids) this.biddingNanos.set(of, (this.biddingNanos.get(of) ?? 0) + nanos);
  }

  removePendingBids(bids: RequestBidTotals): void {
    for (const [of, nanos] of bids) {
      const left = this.biddingNanos.get(of)! - nanos;
      if (left === 0) this.biddingNanos.delete(of);
      else this.biddingNanos.set(of, left);
    }
  }

  onBilled(): void {}
}

/** Frequency caps in the memory of one edge, for one test: nothing expires. */
export class InMemoryFrequencyCaps implements FrequencyCaps {
  /** All queries, in order. */
  readonly asked: { readonly deviceKey: string; readonly caps: readonly FrequencyCap[] }[] = [];
  /** Tracking ids whose reservations were released. */
  readonly released: string[] = [];
  /** While set, queries and reservations wait for this promise. */
  held: Promise<void> | null = null;
  readonly #seen = new Map<string, Set<string>>();

  async exhausted(deviceKey: string, caps: readonly FrequencyCap[]): Promise<ReadonlySet<string>> {
    this.asked.push({ deviceKey, caps });
    await this.held;
    return new Set(caps.filter((cap) => this.#isFull(deviceKey, cap)).map(({ campaignId }) => campaignId));
  }

  async reserve(deviceKey: string, cap: FrequencyCap, trackingId: string): Promise<boolean> {
    await this.held;
    if (this.#isFull(deviceKey, cap)) return false;
    this.count(deviceKey, cap.campaignId, trackingId);
    return true;
  }

  release(deviceKey: string, campaignId: string, trackingId: string): void {
    this.released.push(trackingId);
    this.#seen.get(`${deviceKey} ${campaignId}`)?.delete(trackingId);
  }

  count(deviceKey: string, campaignId: string, trackingId: string): void {
    const key = `${deviceKey} ${campaignId}`;
    this.#seen.set(key, (this.#seen.get(key) ?? new Set<string>()).add(trackingId));
  }

  #isFull(deviceKey: string, { campaignId, maxImpressions }: FrequencyCap): boolean {
    return (this.#seen.get(`${deviceKey} ${campaignId}`)?.size ?? 0) >= maxImpressions;
  }
}
