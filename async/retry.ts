export interface RetryPolicy {
  /** How often it is tried at most, the first time included; without a bound where absent. */
  readonly attempts?: number;
  /** Whether another try may succeed. It is asked after each failure but that of the last attempt. */
  readonly mayRetry: (error: unknown) => boolean;
  /** Awaited before the next try, with the number of failures so far, from 1; absent: the next try begins at once. */
  readonly pause?: (failures: number) => Promise<void>;
}

/** Tries until it succeeds. Rejects with the latest failure when the policy lets it try no more. */
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

/** How long to wait before the next try: the first of `rangeMs`, doubled with each failure before (from 0) up to the second. */
export function backoffMs(failures: number, rangeMs: readonly [number, number]): number {
  return Math.min(rangeMs[1], rangeMs[0] * 2 ** Math.min(failures, 20));
}
