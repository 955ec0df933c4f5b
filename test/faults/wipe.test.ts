import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { audit } from './audit.ts';
import type { ActorsProcess, Cluster } from './cluster.ts';
import { describeCluster } from './describe-cluster.ts';

const WIPED = 5;

/** What the processes' alarms say of the wiped partition; each was logged as an error with the same words. */
async function alarmsOf(cluster: Cluster): Promise<string[]> {
  const found = await eventually('an alarm', () => {
    const alarms = cluster.alarms.filter(({ partition }) => partition === WIPED);
    return alarms.length > 0 ? alarms : null;
  });
  for (const { alarm, message, total } of found) {
    expect(total, `actor_alarms_total of ${alarm}`).to.be.at.least(1);
    expect(cluster.log.some((line) => line.includes('error: ALARM') && line.includes(message))).to.equal(true);
  }
  expect(cluster.alarms.every(({ partition }) => partition === WIPED)).to.equal(true);
  return found.map(({ message }) => message);
}

async function handledAndWiped(cluster: Cluster, processes: ActorsProcess[], keys: RegExp): Promise<void> {
  await cluster.settled(...processes);
  await cluster.load.start();
  await pause(1_500);
  await cluster.load.stop();
  await audit(cluster);
  expect(await cluster.wipe(WIPED, keys), 'keys wiped').to.be.at.least(1);
}

describeCluster('one stream wiped while the store is ahead', (opened) => {
  it('takes what comes after, under its present owner', async () => {
    const cluster = opened();
    await handledAndWiped(cluster, [cluster.startActors(), cluster.startActors()], /:stream$/);
    for (let round = 0; round < 5; round++) await cluster.load.probe([WIPED]);
    expect((await alarmsOf(cluster)).join()).to.match(/what was unread.* is lost/);
    await audit(cluster);
  });

  it('takes what comes after, its lease and cursor gone too', async () => {
    const cluster = opened();
    await handledAndWiped(cluster, [cluster.startActors(), cluster.startActors()], /./);
    for (let round = 0; round < 5; round++) await cluster.load.probe([WIPED]);
    expect((await alarmsOf(cluster)).join()).to.match(/what was unread.* is lost/);
    await audit(cluster);
  });

  for (const [what, keys] of [
    ['the stream', /:stream$/],
    ['all of the partition', /./],
  ] as const) {
    it(`says what was lost, ${what} wiped while nobody owned it`, async () => {
      const cluster = opened();
      const first = cluster.startActors();
      await cluster.settled(first);
      await cluster.load.start();
      await pause(1_000);
      await cluster.load.stop();
      await audit(cluster);
      await first.kill();

      const lane = 'by hand';
      const unread = await Promise.all([1, 2, 3].map(() => cluster.load.tellTo(WIPED, lane)));
      expect(await cluster.wipe(WIPED, keys), 'keys wiped').to.be.at.least(1);
      const after = await Promise.all([1, 2, 3].map(() => cluster.load.tellTo(WIPED, lane)));
      expect([...unread, ...after].every(({ knowledge }) => knowledge === 'durable')).to.equal(true);

      cluster.startActors();
      await cluster.load.probe([WIPED]);
      expect((await alarmsOf(cluster)).join()).to.match(/what was unread between is lost/);
      await audit(cluster, new Set(unread.map(({ tag }) => tag)));
    });
  }
});
