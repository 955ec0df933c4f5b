import { setTimeout as pause } from 'node:timers/promises';
import { publisher } from '#actors/publisher/publisher';
import { hashAddress } from '#runtime/node/kind-registry';
import { PARTITIONS } from '../exchange/deployment.ts';
import { ReplicatedCluster } from '../servers/replicated-cluster.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import { ExchangeInUse } from './exchange-in-use.ts';

const IMPRESSIONS_BETWEEN = 150;
/** Longer than any deadline of a command. */
const AWAY_MS = 12_000;
/** Of sources in other partitions. */
const SILENCE_MS = 4_000;

export const shardAway: Scenario = {
  name: 'shard-away',
  done: 'One shard of a Redis Cluster without replicas is away for 12 s, N times (asks: those of other partitions)',
  rounds: 2,
  withinMs: 15_000,
  run: killShards,
};

async function killShards(run: Run): Promise<Outcome> {
  const servers = await ReplicatedCluster.start(3, 0);
  run.atEnd(() => servers.remove());
  const used = await ExchangeInUse.start(run, { settings: { REDIS_URL: servers.url } });
  const owners = await Promise.all(
    Array.from({ length: PARTITIONS }, (_, partition) => servers.ownerOf(`{exchange:${partition}}`)),
  );
  const ofMembers = await servers.ownerOf('{exchange}');
  const wrong: string[] = [];
  let asksMs = 0;
  for (let round = 1; round <= run.rounds; round++) {
    await used.traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
    // A shard with a partition: one without has no effect.
    const shard = owners[Math.floor(run.random() * owners.length)]!;
    const isElsewhere = (id: string) => owners[hashAddress(`${publisher.kind}/${id}`) % PARTITIONS] !== shard;
    used.traffic.sourceChanges.reset();
    await shard.kill();
    const partitions = owners.flatMap((owner, partition) => (owner === shard ? [partition] : []));
    const members = ofMembers === shard ? ' and of the members' : '';
    run.say(`round ${round}: the shard of partitions ${partitions}${members} is away`);
    await pause(AWAY_MS);
    await used.traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
    const elsewhereMs = used.traffic.sourceChanges.longestSilenceMs(isElsewhere);
    asksMs = Math.max(asksMs, elsewhereMs);
    if (elsewhereMs > SILENCE_MS) {
      wrong.push(`sources in other partitions were not answered for ${(elsewhereMs / 1000).toFixed(1)} s`);
    }
    const sinceMs = performance.now();
    await shard.restart();
    await used.waitUntilRecovered(sinceMs);
    await servers.waitUntilReplicated();
  }
  return { ...(await used.finish(servers.url, { wrong })), asksMs };
}
