/** One imp that the exchange has sold: what its tracking URL must say and nobody may change. */
export interface SoldImpression {
  /** `id` of the bid request. */
  readonly auctionId: string;
  readonly publisherId: string;
  readonly partnerId: string | null;
  readonly dspId: string;
  readonly campaignId: string | null;
  /** The budget lease that the win was reserved from. */
  readonly leaseId: string | null;
  /** `crid` of the bid, '' when it has none. */
  readonly crid: string;
  /** The clearing price, whole micro-dollars CPM. */
  readonly priceCpmMicros: number;
  readonly region: string;
  readonly sandbox: boolean;
  /** When it was sold, ms since the epoch; the render window runs from here. */
  readonly issuedAtMs: number;
}

export interface Sale extends SoldImpression {
  /** The DSP's `burl` with its macros filled in: called once, when the impression is billed. */
  readonly billingNoticeUrl: string | null;
}
