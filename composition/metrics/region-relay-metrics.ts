import type { Registry } from 'prom-client';
import type { RegionRelay, RelayBacklog } from '../../runtime/relay/region-relay.ts';
import { gaugeAtScrape } from './at-scrape.ts';

const NO_BACKLOG: RelayBacklog = { partitions: 0, entries: 0, behindMs: 0 };

/**
 * Exports how far the part of a region's log that this process relays is behind, 0 where it relays none, and whether
 * home has written that log off.
 */
export function regionRelayMetrics(
  registry: Registry,
  relay: Pick<RegionRelay, 'backlog'> | null,
  writtenOff: () => string | null,
): void {
  const backlog = () => relay?.backlog ?? NO_BACKLOG;
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_region_relay_backlog_entries',
      help: "Impressions in the region's log that are not at home, or not known to be",
    },
    (note) => note({}, backlog().entries),
  );
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_region_relay_behind_seconds',
      help: 'For how long it has not been seen that everything of some partition that this process relays is at home',
    },
    (note) => note({}, backlog().behindMs / 1000),
  );
  gaugeAtScrape(
    registry,
    { name: 'exchange_region_relay_partitions', help: "Partitions of the region's log that this process relays" },
    (note) => note({}, backlog().partitions),
  );
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_region_written_off',
      help: "1 where the log of this process's region was written off at home, so that it sells nothing; otherwise 0",
    },
    (note) => note({}, writtenOff() === null ? 0 : 1),
  );
}
