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

/** At `quantile` (0..1), ms to one decimal; 0 when nothing was measured. */
export function latencyMsAt(bins: Readonly<LatencyBins>, quantile: number): number {
  const sketch = new DDSketch({ relativeAccuracy: LATENCY_ACCURACY });
  for (const bin in bins) sketch.store.add(Number(bin), bins[bin]);
  // Bins are added below the sketch's own door, so its total is ours to say.
  sketch.count = sketch.store.count;
  return sketch.count === 0 ? 0 : Math.round(sketch.getValueAtQuantile(quantile) * 10) / 10;
}
