import { buildRevision } from '#bench/against/build-revision';
import { startRedisServer } from '../../support/redis-server.ts';
import { ExchangeProcess } from '../exchange/exchange-process.ts';
import type { Outcome, Run, Scenario } from '../suite/scenario.ts';
import { ExchangeInUse } from './exchange-in-use.ts';

/** The last commit of release 0.4.0. */
const RELEASE_BEFORE = 'c213d931';
const IMPRESSIONS_BETWEEN = 150;

export const upgrade: Scenario = {
  name: 'upgrade',
  done: 'All processes of release 0.4.0 replaced one by one in use, stopped and killed by turns, N times',
  rounds: 2,
  run: upgradeInUse,
};

/**
 * Replaces each process in the order of docs/operations/upgrade.md. In odd rounds actors are stopped and all others
 * killed, in even rounds the other way round. Each round begins with an exchange of its own.
 */
async function upgradeInUse(run: Run): Promise<Outcome> {
  run.say(`release 0.4.0 is built`);
  const program = buildRevision(RELEASE_BEFORE);
  let outcome: Outcome | null = null;
  for (let round = 1; round <= run.rounds; round++) outcome = sumOf(outcome, await upgradeOnce(run, program, round));
  return outcome!;
}

async function upgradeOnce(run: Run, program: string, round: number): Promise<Outcome> {
  const redis = await startRedisServer();
  run.atEnd(() => redis.remove());
  const used = await ExchangeInUse.start(run, { settings: { REDIS_URL: redis.url }, program });
  const { deployment, traffic } = used;
  const { program: present } = new ExchangeProcess('present', {});
  for (const one of [...deployment.actors, ...deployment.edges, deployment.management]) {
    await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
    const sinceMs = performance.now();
    const isActors = deployment.actors.includes(one);
    const isStopped = isActors === (round % 2 === 1);
    run.say(`round ${round}: ${one.name} is ${isStopped ? 'stopped' : 'killed'} and replaced`);
    if (isStopped) await one.stop();
    else await one.kill();
    one.program = present;
    await one.start();
    if (isActors) await deployment.partitionsShared();
    await used.waitUntilRecovered(sinceMs);
  }
  await traffic.waitForImpressions(IMPRESSIONS_BETWEEN);
  return used.finish(redis.url);
}

function sumOf(before: Outcome | null, one: Outcome): Outcome {
  if (before === null) return one;
  return {
    ...one,
    acknowledged: before.acknowledged + one.acknowledged,
    billed: before.billed + one.billed,
    lost: before.lost + one.lost,
    doubled: before.doubled + one.doubled,
    wrong: [...before.wrong, ...one.wrong],
    recoveredMs: Math.max(before.recoveredMs, one.recoveredMs),
    adsMs: Math.max(before.adsMs, one.adsMs),
    impressionsMs: Math.max(before.impressionsMs, one.impressionsMs),
    asksMs: Math.max(before.asksMs, one.asksMs),
  };
}
