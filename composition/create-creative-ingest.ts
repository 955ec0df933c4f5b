import { type Creatives, createCreatives } from '../gateways/creatives/create-creatives.ts';
import { type CreativeSettings, DEFAULT_CREATIVE_SETTINGS } from '../gateways/creatives/settings.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import type { Settings } from '../settings.ts';
import { addressPolicy } from './address-policy.ts';
import { creativesStagingFolder, type Providers } from './create-providers.ts';

/** Creates the ingest of creatives, which fetches them when a campaign is saved, and again when they have grown old. */
export function createCreativeIngest(
  settings: Settings,
  providers: Providers,
  node: ActorNode,
  store: StateStore,
): Promise<Creatives> {
  return createCreatives({
    messenger: node.messenger,
    store,
    storage: providers.creatives,
    settings: creativeSettings(settings),
    stagingFolder: creativesStagingFolder(settings),
    clock: systemClock,
    random: systemRandom,
  });
}

/** The bounds of whatever fetches creatives. */
export function creativeSettings(settings: Settings): CreativeSettings {
  return {
    ...DEFAULT_CREATIVE_SETTINGS,
    ...addressPolicy(settings),
    httpsOnly: settings.httpsCreativesOnly,
    refreshMs: settings.creativeRefreshMs,
    maxStoredBytes: settings.creativesQuotaBytes,
    diskReserveBytes: settings.creativesDiskReserveBytes,
  };
}
