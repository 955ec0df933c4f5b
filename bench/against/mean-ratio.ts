/** Of paired ratios: their geometric mean, and where the true one lies with 95 % confidence. */
export interface MeanRatio {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Student's t, two-sided 95 %, by degrees of freedom from 1 on; beyond, that of 30. */
const T_95 = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09,
  2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05, 2.04,
] as const;

/** Logarithms of ratios are symmetric, so the interval is taken there. Of at least two ratios. */
export function meanRatio(ratios: readonly number[]): MeanRatio {
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const t = T_95[Math.min(logs.length - 1, T_95.length) - 1]!;
  const margin = t * Math.sqrt(variance / logs.length);
  return { mean: Math.exp(mean), low: Math.exp(mean - margin), high: Math.exp(mean + margin) };
}

/** `1.03 × (1.01 to 1.05)`. */
export function ratioText({ mean, low, high }: MeanRatio): string {
  return `${mean.toFixed(3)} × (${low.toFixed(3)} to ${high.toFixed(3)})`;
}
