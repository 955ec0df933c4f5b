import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { regionalEntryDecoder } from '../edge/regions/regional-entry.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import { RegionRelay } from '../runtime/relay/region-relay.ts';
import { registerSource } from '../runtime/relay/register-source.ts';
import { sourceName } from '../runtime/relay/source-name.ts';
import type { Settings } from '../settings.ts';
import type { Providers } from './create-providers.ts';
import { regionRelayMetrics } from './metrics/region-relay-metrics.ts';

interface RegionRelayDeps {
  readonly settings: Pick<Settings, 'region'>;
  readonly providers: Pick<Providers, 'log' | 'regionLog'>;
  readonly registry: Registry;
  readonly logger: Logger;
}

/**
 * Starts the relay of this region's log; null where there is none. Home knows the region when this resolves: budgets
 * wait for it before its first impression is acknowledged.
 */
export async function startRegionRelay(deps: RegionRelayDeps): Promise<RegionRelay | null> {
  const { settings, providers, registry, logger } = deps;
  const { log: home, regionLog: region } = providers;
  if (region === null) {
    regionRelayMetrics(registry, null);
    return null;
  }
  const source = sourceName(settings.region, await region.relayed.identity());
  await registerSource(home.relayed, home.log.partitions, source);
  const relay = new RegionRelay({
    region,
    home: home.relayed,
    regionName: settings.region,
    decode: regionalEntryDecoder(settings.region),
    owner: `${settings.region}-${systemRandom.id()}`,
    clock: systemClock,
    logger,
  });
  regionRelayMetrics(registry, relay);
  relay.start();
  return relay;
}
