import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { audit } from './audit.ts';
import type { Cluster } from './cluster.ts';
import { describeCluster } from './describe-cluster.ts';

/** By partition: the stream alone; or all that Redis has of the partition, its lease with the cursor too. */
const WIPED = new Map([
  [5, /:stream$/],
  [6, /./],
]);

async function wipe(cluster: Cluster): Promise<void> {
  for (const [partition, keys] of WIPED) {
    expect(await cluster.wipe(partition, keys), `keys of partition ${partition}`).to.be.at.least(1);
  }
}

/** Every wiped partition has an alarm that says what was lost, counted and logged as an error; no other has any. */
async function expectAlarms(cluster: Cluster): Promise<void> {
  for (const partition of WIPED.keys()) {
    const { alarm, message, total } = await eventually(`an alarm of partition ${partition}`, () =>
      cluster.alarms.find((one) => one.partition === partition),
    );
    expect(message).to.match(/the log .*ends at \d+-\d+.*: what was unread.* is lost/);
    expect(total, `actor_alarms_total{alarm="${alarm}"}`).to.be.at.least(1);
    expect(cluster.log.some((line) => line.includes('error: ALARM') && line.includes(message))).to.equal(true);
  }
  expect(cluster.alarms.filter(({ partition }) => !WIPED.has(partition))).to.deep.equal([]);
}

/** Work that brings the store ahead of what the wiped log will say. */
async function work(cluster: Cluster): Promise<void> {
  await cluster.load.start();
  await pause(1_000);
  await cluster.load.stop();
  await audit(cluster);
}

describeCluster('streams wiped while the store is ahead', (opened) => {
  it('handles what comes after, and tells its owners to alarm', async () => {
    const cluster = opened();
    const both = [cluster.startActors(), cluster.startActors()];
    await cluster.settled(...both);
    await work(cluster);
    await wipe(cluster);
    for (let round = 0; round < 5; round++) await cluster.load.probe(WIPED.keys());
    await expectAlarms(cluster);
    await audit(cluster);
  });

  it('handles what comes after, and alarms, when no node owned them meanwhile', async () => {
    const cluster = opened();
    const first = cluster.startActors();
    await cluster.settled(first);
    await work(cluster);
    await first.kill();

    const partitions = [...WIPED.keys(), ...WIPED.keys()];
    const tellAll = () => Promise.all(partitions.map((partition) => cluster.load.tellTo(partition, 'by hand')));
    const unread = await tellAll();
    await wipe(cluster);
    const after = await tellAll();
    expect([...unread, ...after].every(({ knowledge }) => knowledge === 'durable')).to.equal(true);

    cluster.startActors();
    await cluster.load.probe(WIPED.keys());
    await expectAlarms(cluster);
    // Those that were not read are gone with the log that held them: the only ones that may be missing.
    await audit(cluster, new Set(unread.map(({ tag }) => tag)));
  });
});
