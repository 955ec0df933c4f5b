/** Time as a port, so that the simulator can own it. */
export interface Clock {
  /** Wall clock, ms since the Unix epoch. */
  now(): number;
  /** Monotonic, ms, from an arbitrary origin. */
  monotonic(): number;
  /** Calls `fire` once after `delayMs`; the returned function cancels. */
  after(delayMs: number, fire: () => void): () => void;
}
