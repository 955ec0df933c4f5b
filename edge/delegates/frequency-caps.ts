/** A campaign's limit for one device. */
export interface FrequencyCap {
  /** Id of the campaign's actor. */
  readonly campaignId: string;
  readonly maxImpressions: number;
}

/**
 * Counts how often devices have seen campaigns: counted on impression, reserved at win for the render window, shared by
 * the edges of a region (readings, "The delegate strategy").
 */
export interface FrequencyCaps {
  /**
   * The campaigns that the device has seen, or is about to see, as often as their caps allow; one round trip for all.
   * When that cannot be known in time, it is all of them: a capped campaign then does not bid. Never rejects.
   */
  exhausted(deviceKey: string, caps: readonly FrequencyCap[]): Promise<ReadonlySet<string>>;
  /**
   * Reserves a place for a win that may be rendered until `untilMs` (since the epoch). The check and the reservation
   * are one atomic step: of any number of auctions at once, on any edges of the region, at most `maxImpressions`
   * succeed. False when others took the last place since {@link exhausted} was asked, or when the outcome cannot be
   * known in time: then the win must be withdrawn, and a place that was taken all the same is released. Asked for
   * winners only; one round trip. Never rejects.
   */
  reserve(deviceKey: string, cap: FrequencyCap, trackingId: string, untilMs: number): Promise<boolean>;
  /**
   * Releases the place of a sale that will never be rendered. The place stays taken if the release fails. Returns at
   * once.
   */
  release(deviceKey: string, campaignId: string, trackingId: string): void;
  /**
   * Counts a rendered impression until `untilMs`, in place of its reservation. Repeats change nothing. Returns at once.
   */
  count(deviceKey: string, campaignId: string, trackingId: string, untilMs: number): void;
}
