/**
 * How books count invalid traffic. Each figure is a sum that never falls, so that books tell it in absolute totals as they tell money:
 *
 * - `invalid/<reason>`: ids that were called for first by invalid traffic of this reason;
 * - `invalidNanos`: what those would have been billed, whole nano-dollars;
 * - `revalidated/<reason>`: those of them that a valid call has billed after all;
 * - `revalidatedNanos`: what these were billed, which is among the impressions.
 *
 * So ids taken in = impressions + Σ invalid − Σ revalidated, of any stretch of time, whenever the valid call comes.
 */
export const INVALID = 'invalid';
export const REVALIDATED = 'revalidated';
export const INVALID_NANOS = 'invalidNanos';
export const REVALIDATED_NANOS = 'revalidatedNanos';

/** What one invalid call counts. */
export function invalidCounts(reason: string, grossNanos: number): Record<string, number> {
  return { [`${INVALID}/${reason}`]: 1, [INVALID_NANOS]: grossNanos };
}

/** What a valid call after an invalid one counts, beside its impression. */
export function revalidatedCounts(reason: string, grossNanos: number): Record<string, number> {
  return { [`${REVALIDATED}/${reason}`]: 1, [REVALIDATED_NANOS]: grossNanos };
}

/** Whether books count invalid traffic by this name. */
export function isInvalidCount(name: string): boolean {
  return name.startsWith(INVALID) || name.startsWith(REVALIDATED);
}
