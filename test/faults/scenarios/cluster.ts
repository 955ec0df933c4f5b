import { ReplicatedCluster } from '../servers/replicated-cluster.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import { ExchangeInUse } from './exchange-in-use.ts';
import { breakLinks } from './links.ts';

const IMPRESSIONS_BETWEEN = 150;

export const cluster: Scenario = {
  name: 'cluster',
  done: 'In a Redis Cluster (3 primaries, 1 replica each): links to replicas cut or stalled at random, then a primary killed, N times',
  rounds: 20,
  withinMs: 15_000,
  run: killPrimaries,
};

async function killPrimaries(run: Run): Promise<Outcome> {
  const servers = await ReplicatedCluster.start(3, 1);
  run.atEnd(() => servers.remove());
  // A primary whose one replica is promoted has none until it is back.
  const waits = { REDIS_WAIT_REPLICAS: '1', REDIS_MIN_REPLICAS: '0' };
  const used = await ExchangeInUse.start(run, { settings: { REDIS_URL: servers.url, ...(run.safe && waits) } });
  for (let round = 1; round <= run.rounds; round++) {
    await used.traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
    const primaries = await servers.primaries();
    const primary = primaries[Math.floor(run.random() * primaries.length)]!;
    await breakLinks(primary, await servers.replicasOf(primary), run);
    const sinceMs = performance.now();
    await primary.kill();
    run.say(`round ${round}: the primary ${primary.port} is killed`);
    servers.restore();
    await servers.waitUntilServing();
    run.say(`all slots are served after ${Math.round(performance.now() - sinceMs)} ms`);
    await primary.restart();
    await used.waitUntilRecovered(sinceMs);
    await servers.waitUntilReplicated();
  }
  return used.finish(servers.url);
}
