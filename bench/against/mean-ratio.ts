import { mean } from '../statistics.ts';

/** The geometric mean of paired ratios, with its 95% confidence interval. */
export interface MeanRatio {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Student's t, two-sided 95%, by degrees of freedom from 1 on; the last value serves for more. */
const T_95 = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09,
  2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05, 2.04,
] as const;

/** The mean of at least two ratios. The interval is computed on their logarithms, which are symmetric. */
export function meanRatio(ratios: readonly number[]): MeanRatio {
  const logs = ratios.map(Math.log);
  const middle = mean(logs);
  const variance = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (logs.length - 1);
  const t = T_95[Math.min(logs.length - 1, T_95.length) - 1]!;
  const margin = t * Math.sqrt(variance / logs.length);
  return { mean: Math.exp(middle), low: Math.exp(middle - margin), high: Math.exp(middle + margin) };
}

/** Formats a ratio as `1.03 × (1.01 to 1.05)`. */
export function ratioText({ mean, low, high }: MeanRatio): string {
  return `${mean.toFixed(3)} × (${low.toFixed(3)} to ${high.toFixed(3)})`;
}
