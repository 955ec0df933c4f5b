import type { Metric, Registry } from 'prom-client';
import { DurationBuckets } from './duration-buckets.ts';

/** Upper bounds for what takes from a fraction of a millisecond to seconds. */
const DEFAULT_BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];

export interface DurationHistogramOptions<L extends string> {
  /** Ends in `_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly L[];
  /** Upper bounds of the buckets, ms. */
  readonly boundsMs?: readonly number[];
}

/** A Prometheus histogram of durations whose series are {@link DurationBuckets}, read at each scrape. */
export class DurationHistogram<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly labelNames: readonly L[];
  readonly #boundsMs: readonly number[];
  readonly #series = new Map<string, { readonly labels: Record<L, string>; readonly buckets: DurationBuckets }>();

  constructor(
    registry: Registry,
    { name, help, labelNames, boundsMs = DEFAULT_BOUNDS_MS }: DurationHistogramOptions<L>,
  ) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.#boundsMs = boundsMs;
    // The registry asks of a metric what this class has, and names it by its own classes.
    registry.registerMetric(this as unknown as Metric);
  }

  /** The series with these values of the labels, in their order. Whoever observes often keeps it. */
  of(...values: readonly string[]): DurationBuckets {
    const key = values.join('\n');
    let series = this.#series.get(key);
    if (series === undefined) {
      const labels = Object.fromEntries(this.labelNames.map((name, index) => [name, values[index]!]));
      series = { labels: labels as Record<L, string>, buckets: new DurationBuckets(this.#boundsMs) };
      this.#series.set(key, series);
    }
    return series.buckets;
  }

  /** What the registry writes of it: cumulated buckets, sum and count of each series. */
  get() {
    const { name, help, type } = this;
    const values: { metricName: string; labels: Record<string, string | number>; value: number }[] = [];
    for (const { labels, buckets } of this.#series.values()) {
      let count = 0;
      const bucket = (le: string, of: number) => {
        count += of;
        values.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: count });
      };
      for (const [index, boundMs] of this.#boundsMs.entries()) bucket(String(boundMs / 1000), buckets.counts[index]!);
      bucket('+Inf', buckets.counts.at(-1)!);
      values.push({ metricName: `${name}_sum`, labels, value: buckets.sumMs / 1000 });
      values.push({ metricName: `${name}_count`, labels, value: count });
    }
    return { name, help, type, values, aggregator: 'sum' };
  }

  reset(): void {
    this.#series.clear();
  }
}
