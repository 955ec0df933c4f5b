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
  /** A sold impression that may still be shown until `untilMs` (since the epoch). Returns at once. */
  reserve(deviceKey: string, campaignId: string, trackingId: string, untilMs: number): void;
  /** The impression was shown: it counts until `untilMs`, in place of its reservation. Returns at once. */
  count(deviceKey: string, campaignId: string, trackingId: string, untilMs: number): void;
}
