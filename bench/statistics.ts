/** The mean of a list, which must not be empty. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The median of a list, which must not be empty. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The smallest value that `share` (0..1) of the values do not exceed. The list must not be empty. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}
