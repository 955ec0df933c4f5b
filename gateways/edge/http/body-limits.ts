/** Bounds of all bodies together that an edge is reading. */
export interface BodyLimits {
  /** ms from a request's head to the last byte of its body. */
  readonly timeoutMs: number;
  /** Bodies read at once. Beyond it, the one that has been under way longest is given up. */
  readonly maxReading: number;
  /**
   * Bytes received of bodies that are incomplete or not decompressed yet. Beyond it, the one under way longest is given
   * up.
   */
  readonly maxBytes: number;
}

export const DEFAULT_BODY_LIMITS: BodyLimits = {
  timeoutMs: 2_000,
  maxReading: 10_000,
  maxBytes: 64 * 1024 * 1024,
};
