/** The data by which a campaign's frequency cap counts a billed impression, on any edge. */
export interface CappedImpression {
  /** Device key of the viewer (see viewer/viewer.ts). */
  readonly deviceKey: string;
  /** Hours for which the impression counts, from its rendering. */
  readonly windowHours: number;
}

/** One imp that the exchange has sold: the data that its tracking URL carries, protected from changes. */
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
  /** Whether the ad is audio, which has no viewability. */
  readonly audio?: boolean;
  /** True for a sale in test mode (OpenRTB 2.6 §3.2.1), whose impression is never billed; absent for any other. */
  readonly test?: boolean;
  /**
   * Time of the sale, ms since the epoch. The render window runs from here, and the budget window of this instant pays.
   */
  readonly issuedAtMs: number;
}

export interface Sale extends SoldImpression {
  /** The DSP's `burl` with its macros filled in: called once, when the impression is billed. */
  readonly billingNoticeUrl: string | null;
  /**
   * The DSP's `nurl` with its macros filled in: called when the impression is billed, unless the win was reported
   * before. Absent where the DSP gave none or was notified already.
   */
  readonly winNoticeUrl?: string;
}
