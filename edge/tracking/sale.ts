/** What a campaign with a frequency cap is counted by when its impression is billed, on whichever edge. */
export interface CappedImpression {
  /** Of the viewer (see viewer/viewer.ts). */
  readonly deviceKey: string;
  /** How long the impression counts, from when it was shown. */
  readonly windowHours: number;
}

/** One imp that the exchange has sold: what its tracking URL must say and nobody may change. */
export interface SoldImpression {
  /** `id` of the bid request. */
  readonly auctionId: string;
  readonly publisherId: string;
  readonly partnerId: string | null;
  readonly dspId: string;
  readonly campaignId: string | null;
  /** Null unless a campaign with a frequency cap was sold. */
  readonly capped: CappedImpression | null;
  /** `crid` of the bid, '' when it has none. */
  readonly crid: string;
  /** The clearing price, whole micro-dollars CPM. */
  readonly priceCpmMicros: number;
  readonly region: string;
  readonly sandbox: boolean;
  /** It is heard: nobody sees it. */
  readonly audio?: boolean;
  /** When it was sold, ms since the epoch; the render window runs from here, and the budget slot of this instant pays. */
  readonly issuedAtMs: number;
}

export interface Sale extends SoldImpression {
  /** The DSP's `burl` with its macros filled in: called once, when the impression is billed. */
  readonly billingNoticeUrl: string | null;
  /**
   * The DSP's `nurl` with its macros filled in: called when the impression is billed, unless the win was reported before. Absent
   * where the DSP gave none or has been told already.
   */
  readonly winNoticeUrl?: string;
}
