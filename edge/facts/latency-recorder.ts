import { DDSketch } from '@datadog/sketches-js';
import { LATENCY_ACCURACY } from '../../actors/ledger/latency.ts';

/**
 * Lower bound of a recorded latency, ms: a percentile below it says nothing. Above {@link LONGEST_MS} the request has
 * been given up.
 */
const SHORTEST_MS = 0.1;
const LONGEST_MS = 10_000;

/** Latencies since the last flush, as a mergeable sketch: percentiles are read from merged bins, never averaged. */
export class LatencyRecorder {
  #sketch: DDSketch | null = null;

  record(latencyMs: number): void {
    this.#sketch ??= new DDSketch({ relativeAccuracy: LATENCY_ACCURACY });
    this.#sketch.accept(Math.min(Math.max(latencyMs, SHORTEST_MS), LONGEST_MS));
  }

  /** Adds the counts to `bins` (bin → count) and starts from 0. */
  moveTo(bins: Map<number, number>): void {
    if (!this.#sketch) return;
    const { store } = this.#sketch;
    for (const [index, count] of store.bins.entries()) if (count > 0) bins.set(index + store.offset, count);
    this.#sketch = null;
  }
}
