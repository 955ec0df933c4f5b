import type { Registry } from 'prom-client';
import type { RegionLender } from '../../edge/budgets/region/region-lender.ts';
import { counterAtScrape } from './at-scrape.ts';

/** Exports how often this edge leases from its region, and asks home for it; 0 where it leases by itself. */
export function regionLenderMetrics(
  registry: Registry,
  lender: Pick<RegionLender, 'draws' | 'asks' | 'failures'> | null,
): void {
  counterAtScrape(
    registry,
    {
      name: 'exchange_region_lease_draws_total',
      help: 'Requests of this edge for leases of what its region has leased at home',
    },
    (note) => note({}, lender?.draws ?? 0),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_region_lease_asks_total',
      help: 'Requests to budgets at home for leases that this edge made for its region',
    },
    (note) => note({}, lender?.asks ?? 0),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_region_lease_ask_failures_total',
      help: 'Those of them whose outcome is unknown; the next one states everything again',
    },
    (note) => note({}, lender?.failures ?? 0),
  );
}
