import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { ImpressionSpool } from '../edge/impressions/spool.ts';
import { adoptSpools, countSpooled, foreignSpools, spoolFolders } from '../edge/impressions/spool-folders.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import { freeBytesOf } from '../runtime/providers/system/free-bytes.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import type { Settings } from '../settings.ts';
import { foreignSpoolMetrics } from './metrics/impression-metrics.ts';

const EXCHANGE_ID_VALUE_NAME = 'exchange-id';

interface SpoolDeps {
  readonly settings: Pick<
    Settings,
    'region' | 'edgePort' | 'edgeWorkers' | 'redisUrl' | 'previousRedisUrls' | 'dataDir'
  >;
  /** The number of this edge among those that share its port, from 1 on. */
  readonly worker: number;
  readonly store: Pick<StateStore, 'putIfAbsent'>;
  readonly registry: Registry;
  readonly logger: Logger;
}

/**
 * Creates this edge's spool. Its folder is named after the exchange, whose id the store keeps, and not after the log's
 * URL, which changes with a password. The first of the edges that share a port adopts folders of older releases, named
 * after this URL or an earlier one, and those of edges beyond EDGE_WORKERS; any other folder there is logged, and
 * counted in a gauge for as long as it exists.
 */
export async function createSpool({ settings, worker, store, registry, logger }: SpoolDeps): Promise<ImpressionSpool> {
  const exchange = await store.putIfAbsent(EXCHANGE_ID_VALUE_NAME, systemRandom.id());
  const { region, edgePort, edgeWorkers, redisUrl, previousRedisUrls } = settings;
  const edge = `${region}-${edgePort}`;
  const root = join(settings.dataDir, 'spool');
  const folderOf = (number: number) => `${edge}${number === 1 ? '' : `-worker-${number}`}-exchange.${exchange}`;
  const own = folderOf(worker);
  const earlier = [redisUrl, ...previousRedisUrls].map((url) => `${edge}-${nameOfLog(url)}`);
  const numbered = (await spoolFolders(root)).filter((name) => workerNumber(name, folderOf) > 0);
  const beyond = numbered.filter((name) => workerNumber(name, folderOf) > edgeWorkers);
  for (const folder of await adoptSpools({ root, own, earlier: worker === 1 ? [...earlier, ...beyond] : [] })) {
    logger.info({ folder: join(root, folder), into: join(root, own) }, 'spooled impressions are adopted');
  }
  // Those beyond EDGE_WORKERS are the first one's to adopt.
  const siblings = [...numbered, ...Array.from({ length: edgeWorkers }, (_, at) => folderOf(at + 1))].filter(
    (name) => name !== own,
  );
  const foreignTo = { root, own, siblings };
  for (const foreign of await foreignSpools(foreignTo)) {
    const impressions = await countSpooled(foreign);
    logger.warn(
      { folder: foreign.folder, impressions },
      'spooled impressions of another exchange, edge or REDIS_URL are not replayed: see docs/reliability.md',
    );
  }
  foreignSpoolMetrics(registry, async () => {
    const foreign = await foreignSpools(foreignTo).catch(() => []);
    return foreign.reduce((sum, { files }) => sum + files, 0);
  });
  const freeBytes = () => freeBytesOf(settings.dataDir);
  return new ImpressionSpool({ folder: join(root, own), exchange, freeBytes });
}

/** The number of the edge whose folder has this name; 0 of no such folder. */
function workerNumber(name: string, folderOf: (number: number) => string): number {
  const [, digits] = /-worker-(\d+)-exchange\./.exec(name) ?? [];
  const number = Number(digits ?? 0);
  return number > 1 && name === folderOf(number) ? number : 0;
}

/** The name that releases up to 0.4 gave to the folder of a log. */
function nameOfLog(redisUrl: string | null): string {
  return redisUrl === null ? 'embedded' : createHash('sha256').update(redisUrl).digest('hex').slice(0, 12);
}
