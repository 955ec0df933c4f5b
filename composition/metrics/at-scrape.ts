import { Counter, type CounterConfiguration, Gauge, type GaugeConfiguration, type Registry } from 'prom-client';

/** What a metric is, without its values. */
type Description<L extends string> = Pick<CounterConfiguration<L> & GaugeConfiguration<L>, 'name' | 'help'> & {
  readonly labelNames?: readonly L[];
};

/** Notes the value of one series. */
type Note<L extends string> = (labels: Partial<Record<L, string>>, value: number) => void;

/**
 * Exports counts that some part keeps as plain numbers: `read` is called at each scrape and notes every series. The
 * numbers must never fall while the process runs.
 */
export function counterAtScrape<L extends string = never>(
  registry: Registry,
  { name, help, labelNames = [] }: Description<L>,
  read: (note: Note<L>) => void,
): void {
  new Counter<L>({
    ...{ name, help, labelNames: [...labelNames] },
    registers: [registry],
    collect() {
      this.reset();
      read((labels, value) => this.inc(labels, value));
    },
  });
}

/**
 * Exports what some part knows at the moment of a scrape. Series that `read` does not note any more are gone. A `read`
 * that rejects leaves the metric without values, and the rest of the scrape as it is.
 */
export function gaugeAtScrape<L extends string = never>(
  registry: Registry,
  { name, help, labelNames = [] }: Description<L>,
  read: (note: Note<L>) => void | Promise<void>,
): void {
  new Gauge<L>({
    ...{ name, help, labelNames: [...labelNames] },
    registers: [registry],
    async collect() {
      const seen: [Partial<Record<L, string>>, number][] = [];
      const known = await Promise.resolve(read((labels, value) => void seen.push([labels, value]))).then(
        () => true,
        () => false,
      );
      // Without labels `reset` would leave a 0 behind, which is a value too.
      if (labelNames.length > 0) this.reset();
      else this.remove();
      if (known) for (const [labels, value] of seen) this.set(labels, value);
    },
  });
}
