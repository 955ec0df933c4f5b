import { DDSketch } from '@datadog/sketches-js';

/**
 * Latencies are kept as the bins of a DDSketch of this relative accuracy: bin → count. Bins of any number of edges and
 * minutes add up to the bins of them all, so a percentile is read once, from the sum.
 */
export const LATENCY_ACCURACY = 0.02;

export type LatencyBins = Record<string, number>;

/** Adds `more` to `bins` in place. */
export function addLatency(bins: LatencyBins, more: Readonly<LatencyBins>): void {
  for (const bin in more) bins[bin] = (bins[bin] ?? 0) + more[bin]!;
}

/**
 * At `quantile` (0..1), ms to one decimal; 0 when nothing was measured. By the nearest rank: of five calls the slowest is the 95th
 * percentile, for only 80 % took no longer than the others.
 */
export function latencyMsAt(bins: Readonly<LatencyBins>, quantile: number): number {
  const sketch = new DDSketch({ relativeAccuracy: LATENCY_ACCURACY });
  for (const bin in bins) sketch.store.add(Number(bin), bins[bin]);
  // Bins are added below the sketch's own door, so its total is ours to say.
  const { count } = sketch.store;
  if (count === 0) return 0;
  sketch.count = count;
  const before = Math.max(0, Math.ceil(quantile * count) - 1);
  // The sketch takes the lower of two ranks: half a rank further, no rounding leads it to the one before.
  const asked = count === 1 ? 1 : Math.min(1, (before + 0.5) / (count - 1));
  return Math.round(sketch.getValueAtQuantile(asked) * 10) / 10;
}
