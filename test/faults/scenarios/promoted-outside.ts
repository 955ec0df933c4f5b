import { eventually } from '../../support/eventually.ts';
import { PARTITIONS } from '../exchange/deployment.ts';
import type { RedisNode } from '../servers/redis-node.ts';
import { ReplicatedRedis } from '../servers/replicated-redis.ts';
import { openSwitchProxy } from '../servers/switch-proxy.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import { ExchangeInUse } from './exchange-in-use.ts';

const IMPRESSIONS_BETWEEN = 150;
const ALARM_WITHIN_MS = 30_000;

export const promotedOutside: Scenario = {
  name: 'promoted-outside',
  done: 'A replica that was cut off, and dropped from the servers in sync, promoted by hand; the right one made primary again, N times',
  rounds: 2,
  withinMs: 15_000,
  run: promoteOutside,
};

async function promoteOutside(run: Run): Promise<Outcome> {
  const redis = await ReplicatedRedis.start(2);
  run.atEnd(() => redis.remove());
  const address = await openSwitchProxy(redis.first.announcedPort);
  run.atEnd(() => address.close());
  const waits = { REDIS_WAIT_REPLICAS: '2', REDIS_MIN_REPLICAS: '1' };
  const used = await ExchangeInUse.start(run, { settings: { REDIS_URL: address.url, ...(run.safe && waits) } });
  const { traffic, deployment } = used;
  const primary = redis.first;
  const wrong: string[] = [];
  for (let round = 1; round <= run.rounds; round++) {
    await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
    const replicas = redis.others(primary);
    const outside = replicas[Math.floor(run.random() * replicas.length)]!;
    primary.link.cut(outside.announcedPort);
    // Nothing is acknowledged before the one that is cut off is out of the set.
    await traffic.waitUntilServed(performance.now());
    await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
    run.say(`round ${round}: ${outside.port} is out of the set, and promoted`);

    const alarmsBefore = await deployment.metric('exchange_redis_not_in_sync_total');
    await outside.command('REPLICAOF', 'NO', 'ONE');
    const before = await logOf(outside);
    address.switchTo(outside.announcedPort);
    const alarm = async () => (await deployment.metric('exchange_redis_not_in_sync_total')) > alarmsBefore;
    await eventually('an alarm', alarm, { timeoutMs: ALARM_WITHIN_MS, everyMs: 100 }).catch((error: Error) => {
      wrong.push(error.message);
    });
    const answeredBefore = traffic.sourceChanges.answered;
    await traffic.waitForImpressions(2 * IMPRESSIONS_BETWEEN);
    const answered = traffic.sourceChanges.answered - answeredBefore;
    if (answered > 0) wrong.push(`${answered} asks were answered while a server outside the set was the primary`);
    if ((await logOf(outside)) !== before) wrong.push('a server outside the set was written to');

    const sinceMs = performance.now();
    primary.link.restore();
    address.switchTo(primary.announcedPort);
    await outside.command('REPLICAOF', '127.0.0.1', primary.announcedPort);
    run.say(`${primary.port} is the primary again`);
    await used.waitUntilRecovered(sinceMs);
    await redis.waitUntilReplicated(primary);
  }
  return used.finish(address.url, { wrong });
}

/** What a server has of every partition: where its stream ends, and how far it was handled. */
async function logOf(node: RedisNode): Promise<string> {
  const parts: unknown[] = [];
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const key = `{exchange:${partition}}`;
    parts.push(await node.command('XREVRANGE', `${key}:stream`, '+', '-', 'COUNT', 1));
    parts.push(await node.command('HMGET', `${key}:lease`, 'cursor', 'epoch'));
  }
  return JSON.stringify(parts);
}
