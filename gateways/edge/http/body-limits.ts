/** What all bodies that are being read at an edge may take together. */
export interface BodyLimits {
  /** A body has this long from its request's head to its last byte. */
  readonly timeoutMs: number;
  /** Bodies being read at once. Beyond, the one that has been under way longest is given up. */
  readonly maxReading: number;
  /** What has come of them and is not whole yet, or not decompressed. Beyond, the one under way longest is given up. */
  readonly maxBytes: number;
}

export const DEFAULT_BODY_LIMITS: BodyLimits = {
  timeoutMs: 2_000,
  maxReading: 10_000,
  maxBytes: 64 * 1024 * 1024,
};
