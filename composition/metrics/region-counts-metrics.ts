import type { Registry } from 'prom-client';
import type { SummingFigures, SummingRelay } from '../../runtime/relay/summing-relay.ts';
import { counterAtScrape, gaugeAtScrape } from './at-scrape.ts';

const NOTHING: SummingFigures = { partitions: 0, read: 0, sent: 0, behindMs: 0 };

/** Exports what this process sums of its region's counts; 0 where it sums none. */
export function regionCountsMetrics(registry: Registry, relay: Pick<SummingRelay, 'figures'> | null): void {
  const figures = () => relay?.figures ?? NOTHING;
  counterAtScrape(
    registry,
    {
      name: 'exchange_region_counts_read_total',
      help: "Messages with counts of the region's edges that this process has read to sum them",
    },
    (note) => note({}, figures().read),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_region_counts_sent_total',
      help: 'Messages with sums of counts that this process has brought home',
    },
    (note) => note({}, figures().sent),
  );
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_region_counts_behind_seconds',
      help: "For how long sums of the region's counts have waited that could not be brought home; 0 while they can",
    },
    (note) => note({}, figures().behindMs / 1_000),
  );
}
