export interface RetryPolicy {
  /** The maximum number of attempts, including the first; unbounded when absent. */
  readonly attempts?: number;
  /** Whether another attempt may succeed. It is called after each failure except that of the last attempt. */
  readonly mayRetry: (error: unknown) => boolean;
  /**
   * Awaited before the next attempt, with the number of failures so far, from 1. When absent, the next attempt starts
   * at once.
   */
  readonly pause?: (failures: number) => Promise<void>;
}

/** Calls `attempt` until it succeeds. Rejects with the latest failure when the policy allows no further attempt. */
export async function retry<T>(attempt: () => Promise<T>, { attempts, mayRetry, pause }: RetryPolicy): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures === attempts || !mayRetry(error)) throw error;
    }
    await pause?.(failures);
  }
}

/**
 * The delay before the next attempt: the first value of `rangeMs`, doubled for each of `failures` (from 0), at most the
 * second value.
 */
export function backoffMs(failures: number, rangeMs: readonly [number, number]): number {
  return Math.min(rangeMs[1], rangeMs[0] * 2 ** Math.min(failures, 20));
}
