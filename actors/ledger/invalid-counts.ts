/**
 * The names by which books count invalid traffic. Each figure is a sum that never falls, so that totals can carry it as
 * they carry money:
 *
 * - `invalid/<reason>`: ids whose first call was invalid traffic of this reason;
 * - `invalidNanos`: what those would have been billed, whole nano-dollars, up to the bound of a rollup's day;
 * - `revalidated/<reason>`: those of them that a valid call has billed after all;
 * - `revalidatedNanos`: what these were billed, which is among the impressions.
 *
 * So accepted ids = impressions + Σ invalid − Σ revalidated, for any stretch of time, whenever the valid call comes.
 */
export const INVALID = 'invalid';
export const REVALIDATED = 'revalidated';
export const INVALID_NANOS = 'invalidNanos';
export const REVALIDATED_NANOS = 'revalidatedNanos';

/** The counts of one invalid call. */
export function invalidCounts(reason: string, grossNanos: number): Record<string, number> {
  return { [`${INVALID}/${reason}`]: 1, [INVALID_NANOS]: grossNanos };
}

/** The counts of a valid call after an invalid one, beside its impression. */
export function revalidatedCounts(reason: string, grossNanos: number): Record<string, number> {
  return { [`${REVALIDATED}/${reason}`]: 1, [REVALIDATED_NANOS]: grossNanos };
}

/** Whether the name is a count of invalid traffic. */
export function isInvalidCount(name: string): boolean {
  return name.startsWith(INVALID) || name.startsWith(REVALIDATED);
}
