/** The person or household that sees the ad, as far as it is known and the knowledge may be used. */
export interface Viewer {
  /**
   * Key of the device for frequency caps, the same on every edge; nothing about the device can be read from it. Null
   * when the device has no name, or when privacy forbids one. Computed on first use.
   */
  readonly deviceKey: string | null;
  /** The exchange's own id of the viewer, from a browser's cookie. */
  readonly userId: string | null;
  /** `user.buyeruid` by DSP id, from cookie syncs. */
  readonly buyerUids: ReadonlyMap<string, string>;
}

/** An unknown viewer. */
export const UNKNOWN_VIEWER: Viewer = { deviceKey: null, userId: null, buyerUids: new Map() };
