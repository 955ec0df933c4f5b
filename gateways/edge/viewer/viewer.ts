/** Who looks at the ad, as far as that is known and may be used. */
export interface Viewer {
  /**
   * Names the device for frequency caps, the same on every edge; nothing about the device can be read from it. Null when
   * nothing names it, or when privacy forbids to.
   */
  readonly deviceKey: string | null;
  /** `user.buyeruid` by demand source, from what its cookie sync brought. */
  readonly buyerUids: ReadonlyMap<string, string>;
}

/** Of whom nothing is known. */
export const UNKNOWN_VIEWER: Viewer = { deviceKey: null, buyerUids: new Map() };
