import { RegionalImpressions } from '#edge/regions/regional-impressions';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { eventually } from '../../support/eventually.ts';
import { type Deployment, PARTITIONS } from '../exchange/deployment.ts';
import type { Rendered } from '../exchange/renderer.ts';
import { waitingImpression } from '../full-memory/waiting.ts';
import { backlogOf, REGIONAL, RegionServers, waitUntilDrained } from '../regions/region-servers.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import { ExchangeInUse } from './exchange-in-use.ts';

/** Impressions a second that the region has taken in while it was cut off. */
const RATE = 200;
const CUT_FOR_S = 600;
const WAITING = RATE * CUT_FOR_S;
const AT_ONCE = 500;
const IMPRESSIONS_BETWEEN = 150;

export const regionBack: Scenario = {
  name: 'region-back',
  done: `A region back after the 10 min in which it took in ${WAITING.toLocaleString('en')} impressions, ${RATE} a second (recovered: all is at home)`,
  rounds: 1,
  withinMs: 60_000,
  run: bringBack,
};

async function bringBack(run: Run): Promise<Outcome> {
  const servers = await RegionServers.start(run);
  const used = await ExchangeInUse.start(run, {
    ...REGIONAL,
    settings: { REDIS_URL: servers.home.url },
    edgeSettings: servers.edgeSettings,
  });
  const { deployment, traffic } = used;
  const edge = deployment.edges[1]!;
  await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
  servers.nyc.link.cut();
  run.say('nyc is cut off');
  const waiting = await takeIn(servers.nyc.log.url, deployment);
  const isSeen = async () => (await backlogOf(deployment, [edge])) >= WAITING;
  await eventually('the relay to see what waits', isSeen, { timeoutMs: 60_000, everyMs: 100 });
  await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
  const [before, sinceMs] = [traffic.rendered, performance.now()];
  servers.nyc.link.restore();
  const recoveredMs = await waitUntilDrained(deployment, [edge]);
  const seconds = (performance.now() - sinceMs) / 1000;
  const beside = (traffic.rendered - before) / seconds;
  run.say(
    `${WAITING} impressions are at home after ${seconds.toFixed(1)} s, beside ${beside.toFixed(0)} new ones a second`,
  );
  await used.waitUntilRecovered(performance.now());
  await traffic.stop();
  await waitUntilDrained(deployment);
  return { ...(await used.finish(servers.home.url, { waiting })), recoveredMs };
}

/** Resolves with what the region took in, as its edges do, by tracking URL. */
async function takeIn(url: string, { publishers, dsps }: Deployment): Promise<Map<string, Rendered>> {
  const provider = await openRedisLog({ url, prefix: 'exchange-nyc', partitions: PARTITIONS });
  const identity = await provider.relayed.identity();
  const impressions = new RegionalImpressions(provider.log, provider.log, { identity, writtenOff: null });
  const taken = new Map<string, Rendered>();
  try {
    for (let number = 0; number < WAITING; number += AT_ONCE) {
      const partition = (number / AT_ONCE) % PARTITIONS;
      const sources = { publisher: publishers[partition % 2]!, dsp: dsps[0]! };
      const entries = Array.from({ length: AT_ONCE }, (_, at) =>
        waitingImpression(number + at, partition, sources, 'nyc'),
      );
      await impressions.appendOnce(partition, entries);
      for (const { id, priceCpmMicros } of entries) {
        taken.set(`/?t=0.${id}`, { publisherId: sources.publisher, dspId: sources.dsp, priceCpmMicros });
      }
    }
  } finally {
    await provider.close();
  }
  return taken;
}
