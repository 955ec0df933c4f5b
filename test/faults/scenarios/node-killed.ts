import { startRedisServer } from '../../support/redis-server.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import { ExchangeInUse } from './exchange-in-use.ts';

const IMPRESSIONS_BETWEEN = 150;

export const nodeKilled: Scenario = {
  name: 'node-killed',
  done: 'One of two actor nodes killed, N times',
  rounds: 5,
  withinMs: 6_000,
  run: killNodes,
};

async function killNodes(run: Run): Promise<Outcome> {
  const redis = await startRedisServer();
  run.atEnd(() => redis.remove());
  const used = await ExchangeInUse.start(run, { settings: { REDIS_URL: redis.url } });
  const { actors } = used.deployment;
  for (let round = 1; round <= run.rounds; round++) {
    await used.traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
    const node = actors[Math.floor(run.random() * actors.length)]!;
    const sinceMs = performance.now();
    await node.kill();
    run.say(`round ${round}: ${node.name} is killed`);
    await used.waitUntilRecovered(sinceMs);
    await node.start();
    await used.deployment.partitionsShared();
  }
  return used.finish(redis.url);
}
