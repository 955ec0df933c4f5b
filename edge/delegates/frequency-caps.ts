/** A campaign's limit for one device. */
export interface FrequencyCap {
  /** Of the campaign's actor. */
  readonly campaignId: string;
  readonly maxImpressions: number;
}

/**
 * How often devices have seen campaigns: counted on impression, reserved at win for the render window, shared by the edges of
 * a region (readings, "The delegate strategy").
 */
export interface FrequencyCaps {
  /**
   * Those campaigns that the device has seen, or is about to see, as often as they allow; one round trip for all. When that
   * cannot be known in time it is all of them: a capped campaign then does not bid. Never rejects.
   */
  exhausted(deviceKey: string, caps: readonly FrequencyCap[]): Promise<ReadonlySet<string>>;
  /**
   * A win that may be shown until `untilMs` (since the epoch) takes its place: one atomic step with the check, so that of any
   * number of auctions at once, on any edges of the region, no more than `maxImpressions` succeed. False when others took the
   * last place since {@link exhausted} was asked, or when it cannot be known in time: then the win is to be withdrawn, and a place
   * that was taken all the same is given back. Asked of winners alone; one round trip. Never rejects.
   */
  reserve(deviceKey: string, cap: FrequencyCap, trackingId: string, untilMs: number): Promise<boolean>;
  /** What was sold under this id will never be shown: its place is free again, unless that cannot be told. Returns at once. */
  release(deviceKey: string, campaignId: string, trackingId: string): void;
  /** The impression was shown: it counts until `untilMs`, in place of its reservation. Repeats change nothing. Returns at once. */
  count(deviceKey: string, campaignId: string, trackingId: string, untilMs: number): void;
}
