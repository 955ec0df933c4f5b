import { Redis } from 'ioredis';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { eventually } from '../../support/eventually.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { type Deployment, PARTITIONS } from '../exchange/deployment.ts';
import type { Rendered } from '../exchange/renderer.ts';
import { fillMemory, waitingImpression } from '../full-memory/waiting.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import { spooledBelow } from '../verification/wait-until-at-rest.ts';
import { ExchangeInUse } from './exchange-in-use.ts';

const WAITING = 200_000;
const AT_ONCE = 500;
const IMPRESSIONS_BETWEEN = 150;

export const fullMemory: Scenario = {
  name: 'full-memory',
  done: 'Redis full to `maxmemory` while 200,000 impressions wait in it; then the actor nodes are started again',
  rounds: 1,
  run: fill,
};

async function fill(run: Run): Promise<Outcome> {
  const redis = await startRedisServer({ maxmemory: '256mb' });
  run.atEnd(() => redis.remove());
  const used = await ExchangeInUse.start(run, { settings: { REDIS_URL: redis.url } });
  const { deployment, traffic } = used;
  await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
  for (const node of deployment.actors) await node.kill();
  const waiting = await append(redis.url, deployment);
  run.say(`${waiting.size} impressions wait`);
  const direct = new Redis(redis.url);
  try {
    await fillMemory(direct);
  } finally {
    direct.disconnect();
  }
  run.say('Redis is full');
  await eventually('edges to spool', async () => (await spooledBelow(deployment.folder)).length > 0, {
    timeoutMs: 60_000,
  });
  await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
  const sinceMs = performance.now();
  await Promise.all(deployment.actors.map((node) => node.start()));
  run.say('the actor nodes are started');
  await used.waitUntilRecovered(sinceMs);
  return used.finish(redis.url, { waiting });
}

/** Resolves with what was appended, as an edge does, by tracking URL. */
async function append(url: string, { publishers, dsps }: Deployment): Promise<Map<string, Rendered>> {
  const provider = await openRedisLog({ url, prefix: 'exchange', partitions: PARTITIONS });
  const appended = new Map<string, Rendered>();
  try {
    for (let number = 0; number < WAITING; number += AT_ONCE) {
      const partition = (number / AT_ONCE) % PARTITIONS;
      const sources = { publisher: publishers[partition % 2]!, dsp: dsps[0]! };
      const entries = Array.from({ length: AT_ONCE }, (_, at) => waitingImpression(number + at, partition, sources));
      await provider.log.appendOnce(partition, entries);
      for (const { id, priceCpmMicros } of entries) {
        appended.set(`/?t=0.${id}`, { publisherId: sources.publisher, dspId: sources.dsp, priceCpmMicros });
      }
    }
  } finally {
    await provider.close();
  }
  return appended;
}
