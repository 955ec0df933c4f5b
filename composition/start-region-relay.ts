import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { regionalEntryDecoder } from '../edge/regions/regional-entry.ts';
import type { KnownSource } from '../runtime/ports/relayed.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import { RegionRelay } from '../runtime/relay/region-relay.ts';
import { registerSource } from '../runtime/relay/register-source.ts';
import { sourceName } from '../runtime/relay/source-name.ts';
import { SourceWatch } from '../runtime/relay/source-watch.ts';
import { writtenOffAtHome } from '../runtime/relay/written-off.ts';
import type { Settings } from '../settings.ts';
import type { Providers } from './create-providers.ts';
import { regionRelayMetrics } from './metrics/region-relay-metrics.ts';

interface RegionRelayDeps {
  readonly settings: Pick<Settings, 'region' | 'redisPrefix'>;
  readonly providers: Pick<Providers, 'log' | 'regionLog'>;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** What brings a region's log home, and tells whether that log may be sold into. */
interface StartedRelay {
  /** What home knows of the region's log, kept up to date. */
  readonly known: KnownSource;
  close(): Promise<void>;
}

/**
 * Starts the relay of this region's log; null where there is none. Home knows the region when this resolves: budgets
 * wait for it before its first impression is acknowledged.
 * @throws Error in one sentence when home has written the log off
 */
export async function startRegionRelay(deps: RegionRelayDeps): Promise<StartedRelay | null> {
  const { settings, providers, registry, logger } = deps;
  const { log: home, regionLog: region } = providers;
  if (region === null) {
    regionRelayMetrics(registry, null, () => null);
    return null;
  }
  const identity = await region.relayed.identity();
  const source = sourceName(settings.region, identity);
  await registerSource(home.relayed, home.log.partitions, source);
  const reason = await writtenOffAtHome(home.relayed, home.log.partitions, source);
  if (reason !== null) {
    const keys = `{${settings.redisPrefix}-${settings.region}`;
    throw new Error(
      `the log at REGION_REDIS_URL, ${source}, was written off (${reason}), so what is sold here would not be billed: delete its keys, which begin with ${keys}}: and ${keys}:, or name another Redis (docs/subsystems/regions.md)`,
    );
  }
  const relay = new RegionRelay({
    region,
    home: home.relayed,
    regionName: settings.region,
    decode: regionalEntryDecoder(settings.region),
    owner: `${settings.region}-${systemRandom.id()}`,
    clock: systemClock,
    logger,
  });
  const watch = new SourceWatch({
    ...{ region: region.relayed, home: home.relayed, partitions: home.log.partitions },
    ...{ regionName: settings.region, identity, clock: systemClock, logger },
  });
  regionRelayMetrics(registry, relay, () => watch.writtenOff);
  relay.start();
  watch.start();
  return {
    known: watch,
    async close() {
      await watch.close();
      await relay.close();
    },
  };
}
