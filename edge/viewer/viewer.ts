/** Who looks at the ad, as far as that is known and may be used. */
export interface Viewer {
  /**
   * Names the device for frequency caps, the same on every edge; nothing about the device can be read from it. Null when
   * nothing names it, or when privacy forbids to. Worked out when asked for.
   */
  readonly deviceKey: string | null;
  /** The exchange's own id of the viewer, from the cookie of a browser. */
  readonly userId: string | null;
  /** `user.buyeruid` by demand source, from what its cookie sync brought. */
  readonly buyerUids: ReadonlyMap<string, string>;
}

/** Of whom nothing is known. */
export const UNKNOWN_VIEWER: Viewer = { deviceKey: null, userId: null, buyerUids: new Map() };
