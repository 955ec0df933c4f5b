import { createHash } from 'node:crypto';
import { readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { openTcpProxy } from '../../support/tcp-proxy.ts';
import type { ExchangeProcess } from '../exchange/exchange-process.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import { spooledBelow } from '../verification/wait-until-at-rest.ts';
import { ExchangeInUse } from './exchange-in-use.ts';

const IMPRESSIONS_BETWEEN = 150;
const SPOOLED = 1_000;

export const spools: Scenario = {
  name: 'spools',
  done: 'Redis away until each edge has a spool; all stopped, one spool named as release 0.4 did, REDIS_URL changed, all started',
  rounds: 1,
  run: moveRedis,
};

async function moveRedis(run: Run): Promise<Outcome> {
  const redis = await startRedisServer();
  run.atEnd(() => redis.remove());
  const elsewhere = await openTcpProxy('127.0.0.1', redis.port);
  run.atEnd(() => elsewhere.close());
  const urls = { REDIS_URL: `redis://127.0.0.1:${elsewhere.port}`, REDIS_URL_PREVIOUS: redis.url };
  const used = await ExchangeInUse.start(run, { settings: { REDIS_URL: redis.url } });
  const { deployment, traffic } = used;
  await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
  await redis.kill();
  run.say('Redis is away');
  const spooling = async () => new Set((await spooledBelow(deployment.folder)).map(dirname)).size;
  await eventually('all edges to spool', async () => (await spooling()) === deployment.edges.length, {
    timeoutMs: 60_000,
  });
  await traffic.waitForImpressions(SPOOLED);
  await deployment.stopAll();
  await nameAsBefore(deployment.folder, deployment.edges[1]!, redis.url);
  const sinceMs = performance.now();
  await redis.start();
  await deployment.startAll(urls);
  run.say('the exchange is started with another REDIS_URL');
  await used.waitUntilRecovered(sinceMs);
  const foreign = await deployment.metric('exchange_spool_foreign_files');
  const wrong = foreign > 0 ? [`${foreign} spool files are orphaned`] : [];
  return used.finish(urls.REDIS_URL, { wrong });
}

/** A folder was named after the URL of the log, up to release 0.4. */
async function nameAsBefore(folder: string, { name, environment }: ExchangeProcess, redisUrl: string): Promise<void> {
  const root = join(folder, name, 'spool');
  const [own] = await readdir(root);
  const hash = createHash('sha256').update(redisUrl).digest('hex').slice(0, 12);
  await rename(join(root, own!), join(root, `${environment.REGION}-${environment.EDGE_PORT}-${hash}`));
}
