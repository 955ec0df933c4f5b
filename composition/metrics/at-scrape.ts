import { Counter, type CounterConfiguration, Gauge, type GaugeConfiguration, type Registry } from 'prom-client';
import { inTime } from '../../async/in-time.ts';
import { systemTimer, type Timer } from '../../async/pause.ts';
import { SingleFlight } from '../../async/single-flight.ts';
import { SERVERS_WITHIN_MS } from '../../gateways/operations-deadlines.ts';

/** What a metric is, without its values. */
type Description<L extends string> = Pick<CounterConfiguration<L> & GaugeConfiguration<L>, 'name' | 'help'> & {
  readonly labelNames?: readonly L[];
};

type Series<L extends string> = readonly [labels: Partial<Record<L, string>>, value: number];

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
 * that rejects, or takes longer than `SERVERS_WITHIN_MS`, leaves the metric without values, and the rest of the scrape
 * as it is; one that is late serves the scrapes that come until it ends.
 */
export function gaugeAtScrape<L extends string = never>(
  registry: Registry,
  { name, help, labelNames = [] }: Description<L>,
  read: (note: Note<L>) => void | Promise<void>,
  timer: Timer = systemTimer,
): void {
  const reads = new SingleFlight<readonly Series<L>[]>();
  const series = async () => {
    const seen: Series<L>[] = [];
    await read((labels, value) => void seen.push([labels, value]));
    return seen;
  };
  new Gauge<L>({
    ...{ name, help, labelNames: [...labelNames] },
    registers: [registry],
    async collect() {
      const known = await inTime(timer, SERVERS_WITHIN_MS, reads.run(series), null).catch(() => null);
      // Without labels `reset` would leave a 0 behind, which is a value too.
      if (labelNames.length > 0) this.reset();
      else this.remove();
      for (const [labels, value] of known ?? []) this.set(labels, value);
    },
  });
}
