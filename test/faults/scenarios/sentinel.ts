import { SentinelledRedis } from '../servers/sentinels.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import { ExchangeInUse } from './exchange-in-use.ts';
import { breakLinks } from './links.ts';

const IMPRESSIONS_BETWEEN = 150;

export const sentinel: Scenario = {
  name: 'sentinel',
  done: 'Under Sentinel (1 primary, 2 replicas): links to replicas cut or stalled at random, then the primary killed, N times',
  rounds: 20,
  withinMs: 15_000,
  run: killPrimaries,
};

async function killPrimaries(run: Run): Promise<Outcome> {
  const servers = await SentinelledRedis.start();
  run.atEnd(() => servers.remove());
  const waits = { REDIS_WAIT_REPLICAS: '2', REDIS_MIN_REPLICAS: '1' };
  const used = await ExchangeInUse.start(run, { settings: { REDIS_URL: servers.url, ...(run.safe && waits) } });
  for (let round = 1; round <= run.rounds; round++) {
    await used.traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
    const primary = await servers.primary();
    await breakLinks(primary, servers.redis.others(primary), run);
    const sinceMs = performance.now();
    await primary.kill();
    run.say(`round ${round}: the primary ${primary.port} is killed`);
    servers.redis.restore();
    const promoted = await servers.waitForFailover(primary);
    run.say(`${promoted.port} is the primary after ${Math.round(performance.now() - sinceMs)} ms`);
    // Some come back as they were and are told by the Sentinels, others are started with the right configuration.
    if (run.random() < 0.5) await primary.restart();
    else await primary.restart('--replicaof', `127.0.0.1 ${promoted.announcedPort}`);
    await used.waitUntilRecovered(sinceMs);
    await servers.redis.waitUntilReplicated(await servers.primary());
    await servers.waitUntilWatched();
  }
  return used.finish(servers.url);
}
