import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { ImpressionSpool } from '../edge/impressions/spool.ts';
import { adoptSpools, countSpooled, foreignSpools } from '../edge/impressions/spool-folders.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import type { Settings } from '../settings.ts';
import { foreignSpoolMetrics } from './metrics/impression-metrics.ts';

const EXCHANGE_ID_VALUE_NAME = 'exchange-id';

/**
 * Creates this edge's spool. Its folder is named after the exchange, whose id the store keeps, and not after the log's
 * URL, which changes with a password. Folders of older releases named after this URL or an earlier one are adopted; any
 * other folder there is logged, and counted in a gauge for as long as it exists.
 */
export async function createSpool(
  settings: Settings,
  store: Pick<StateStore, 'putIfAbsent'>,
  registry: Registry,
  logger: Logger,
): Promise<ImpressionSpool> {
  const exchange = await store.putIfAbsent(EXCHANGE_ID_VALUE_NAME, systemRandom.id());
  const { region, edgePort, redisUrl, previousRedisUrls } = settings;
  const edge = `${region}-${edgePort}`;
  const root = join(settings.dataDir, 'spool');
  const own = `${edge}-exchange.${exchange}`;
  const earlier = [redisUrl, ...previousRedisUrls].map((url) => `${edge}-${nameOfLog(url)}`);
  for (const folder of await adoptSpools({ root, own, earlier })) {
    logger.info(
      { folder: join(root, folder), into: join(root, own) },
      'spooled impressions of an older release are adopted',
    );
  }
  for (const foreign of await foreignSpools({ root, own })) {
    const impressions = await countSpooled(foreign);
    logger.warn(
      { folder: foreign.folder, impressions },
      'spooled impressions of another exchange, edge or REDIS_URL are not replayed: see docs/reliability.md',
    );
  }
  foreignSpoolMetrics(registry, async () => {
    const foreign = await foreignSpools({ root, own }).catch(() => []);
    return foreign.reduce((sum, { files }) => sum + files, 0);
  });
  return new ImpressionSpool({ folder: join(root, own), exchange });
}

/** The name that releases up to 0.4 gave to the folder of a log. */
function nameOfLog(redisUrl: string | null): string {
  return redisUrl === null ? 'embedded' : createHash('sha256').update(redisUrl).digest('hex').slice(0, 12);
}
