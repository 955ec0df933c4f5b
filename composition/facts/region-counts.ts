import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { facts } from '../../actors/facts/facts.ts';
import { CountsSum } from '../../edge/facts/counts-sum.ts';
import { isHeldEnough } from '../../edge/facts/hold-policy.ts';
import { Complaints } from '../../runtime/actor/complaints.ts';
import { checkedAddress } from '../../runtime/node/checked-address.ts';
import { KindRegistry } from '../../runtime/node/kind-registry.ts';
import { Producer } from '../../runtime/node/producer.ts';
import { DEFAULT_TUNING } from '../../runtime/node/tuning.ts';
import type { LogProvider } from '../../runtime/ports/log-provider.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import type { HomeOfSums } from '../../runtime/relay/summing-partition.ts';
import { SummingRelay } from '../../runtime/relay/summing-relay.ts';
import type { Settings } from '../../settings.ts';
import { isNotUp, named, type Providers } from '../create-providers.ts';
import { regionCountsMetrics } from '../metrics/region-counts-metrics.ts';
import { waitFor } from '../wait-for.ts';
import { type FactsLog, type FactsRoute, TELLS_AT_ONCE } from './facts-log.ts';

/**
 * Upper bound of the entries of a partition, each of 64 messages at most: seconds of the heaviest load, minutes of
 * less. From there on counts wait in the edges, where they are summed too.
 */
const KEPT_ENTRIES = 256;
/** The share of the memory of the region's Redis that counts must not use: it is there for impressions. */
const HEADROOM = 0.3;

interface RegionCountsDeps {
  readonly settings: Settings;
  readonly providers: Pick<Providers, 'regionLog'>;
  readonly factsLog: FactsLog | null;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Opens the way of an edge's counts through its region; null where it has no log of its own, or counts have none. */
export async function openRegionCounts(deps: RegionCountsDeps): Promise<RegionCounts | null> {
  const { settings, providers, factsLog, logger, registry } = deps;
  if (providers.regionLog === null || factsLog === null) {
    regionCountsMetrics(registry, null);
    return null;
  }
  const { openRedisLog } = await import('../../runtime/providers/redis/open-redis-log.ts');
  const complaints = new Complaints({ logger, clock: systemClock });
  const open = () =>
    openRedisLog({
      url: settings.regionRedisUrl!,
      prefix: `${settings.redisPrefix}-${settings.region}-facts`,
      partitions: settings.partitions,
      headroom: HEADROOM,
      report: (problem, cause) =>
        complaints.warn({ problem, cause: String(cause) }, 'Redis of the region, counts', problem),
    });
  const attempt = { open, mayComeUp: isNotUp };
  const waiting = waitFor('Redis (REGION_REDIS_URL)', attempt, { logger, withinMs: settings.startWaitMs });
  const region = await named('REGION_REDIS_URL', waiting);
  const counts = new RegionCounts(region, factsLog.home, settings.region, logger, complaints);
  regionCountsMetrics(registry, counts.relay);
  counts.relay.start();
  return counts;
}

/**
 * The counts of the edges of a region with a log of its own: edges append them to the region's Redis, and a relay in
 * each edge process brings home the sums of its share of partitions.
 */
class RegionCounts implements FactsRoute {
  readonly kind = facts;
  readonly tellsAtOnce = TELLS_AT_ONCE;
  readonly inPhase = true;
  readonly messenger: FactsRoute['messenger'];
  readonly #region: LogProvider;
  readonly #producer: Producer;
  readonly #complaints: Complaints;
  readonly relay: SummingRelay;

  /** @param complaints of the region's Redis; closed with it */
  constructor(region: LogProvider, home: HomeOfSums, regionName: string, logger: Logger, complaints: Complaints) {
    this.#region = region;
    this.#complaints = complaints;
    const { partitions } = region.log;
    const kinds = new KindRegistry([facts], partitions);
    const owner = `${regionName}-${systemRandom.id()}`;
    const tuning = { ...DEFAULT_TUNING, maxPartitionLength: KEPT_ENTRIES };
    this.#producer = new Producer(region.log, owner, systemClock, tuning, true);
    this.messenger = {
      tell: async (kind, id, type, body) => {
        const address = checkedAddress(kinds, kind, id, type, body);
        await this.#producer.send(kinds.partitionOf(address), address, type, body);
      },
    };
    this.relay = new SummingRelay({
      ...{ region, home, regionName, owner, clock: systemClock, logger },
      newSum: () => new CountsSum(),
      isDue: (batch) => isHeldEnough(batch, partitions),
    });
  }

  /** Brings home what is left, as far as that is possible within seconds. */
  async close(): Promise<void> {
    await this.#producer.settled();
    await this.relay.close();
    await this.#region.close();
    this.#complaints.close();
  }
}
