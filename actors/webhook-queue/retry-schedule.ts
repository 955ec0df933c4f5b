/**
 * The waits before each further attempt, ms (specification, "Errors": backoff guidance); after the last there is no
 * other.
 */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000] as const;

/** The first attempt and its repetitions. */
export const MAX_DELIVERY_ATTEMPTS = 1 + WAITS_MS.length;

/**
 * The relative jitter of a wait in both directions, so that many deliveries that failed together are not retried
 * together.
 */
const JITTER = 0.2;

/**
 * The wait after `attempts` failures, at least one, ms; null: the delivery is given up. `random` is uniform in [0, 1).
 */
export function retryDelayMs(attempts: number, random: number): number | null {
  const waitMs = WAITS_MS[attempts - 1];
  return waitMs === undefined ? null : Math.round(waitMs * (1 - JITTER + 2 * JITTER * random));
}
