import { startRedisServer } from '../../support/redis-server.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import { ExchangeInUse } from './exchange-in-use.ts';

const IMPRESSIONS_BETWEEN = 150;

export const sickNode: Scenario = {
  name: 'sick-node',
  done: 'One of three actor nodes loses its store, and nothing else, N times',
  rounds: 3,
  withinMs: 10_000,
  run: cutStores,
};

async function cutStores(run: Run): Promise<Outcome> {
  const redis = await startRedisServer();
  run.atEnd(() => redis.remove());
  const used = await ExchangeInUse.start(run, { settings: { REDIS_URL: redis.url }, actors: 3 });
  const { actors, stores } = used.deployment;
  for (let round = 1; round <= run.rounds; round++) {
    await used.deployment.partitionsShared();
    await used.traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
    const at = Math.floor(run.random() * actors.length);
    const sinceMs = performance.now();
    stores[at]!.cut();
    run.say(`round ${round}: ${actors[at]!.name} has no store any more`);
    await used.waitUntilRecovered(sinceMs);
    stores[at]!.restore();
  }
  return used.finish(redis.url);
}
