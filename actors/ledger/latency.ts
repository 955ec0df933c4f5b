import { DDSketch } from '@datadog/sketches-js';

/**
 * The relative accuracy of the DDSketch whose bins hold latencies: bin → count. Bins of any number of edges and minutes
 * can be added, so a percentile is read once, from the sum.
 */
export const LATENCY_ACCURACY = 0.02;

export type LatencyBins = Record<string, number>;

/** Adds `more` to `bins` in place. */
export function addLatency(bins: LatencyBins, more: Readonly<LatencyBins>): void {
  for (const bin in more) bins[bin] = (bins[bin] ?? 0) + more[bin]!;
}

/**
 * The latency at `quantile` (0..1), ms to one decimal; 0 when nothing was measured. The nearest rank counts: of five
 * calls the slowest is the 95th percentile, because only 80% took no longer than the others.
 */
export function latencyMsAt(bins: Readonly<LatencyBins>, quantile: number): number {
  const sketch = new DDSketch({ relativeAccuracy: LATENCY_ACCURACY });
  for (const bin in bins) sketch.store.add(Number(bin), bins[bin]);
  // The bins are added to the sketch's store directly, so its total must be set here.
  const { count } = sketch.store;
  if (count === 0) return 0;
  sketch.count = count;
  const before = Math.max(0, Math.ceil(quantile * count) - 1);
  // The sketch takes the lower of two ranks: half a rank more prevents rounding to the rank before.
  const asked = count === 1 ? 1 : Math.min(1, (before + 0.5) / (count - 1));
  return Math.round(sketch.getValueAtQuantile(asked) * 10) / 10;
}
