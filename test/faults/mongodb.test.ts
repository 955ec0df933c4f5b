import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { audit } from './audit.ts';
import { AS_SHIPPED } from './cluster.ts';
import { describeCluster } from './describe-cluster.ts';
import { assertRecovers } from './measure.ts';

const AWAY_MS = 2_000;
const DEADLINE_MS = 1_000;

describeCluster('MongoDB in trouble under load', (opened) => {
  it('loses and doubles nothing when all its connections drop', async () => {
    const cluster = opened();
    const both = [cluster.startActors({ tuning: AS_SHIPPED }), cluster.startActors({ tuning: AS_SHIPPED })];
    await cluster.settled(...both);
    await cluster.load.start();
    for (let round = 1; round <= 2; round++) {
      await pause(500 + Math.random() * 500);
      cluster.mongodb.cut();
      // The first time at once, so that saves are left without an answer; then an outage.
      if (round > 1) await pause(AWAY_MS);
      cluster.mongodb.restore();
      await assertRecovers(cluster.load, `connections to MongoDB dropped, round ${round}`);
    }
    await cluster.load.stop();
    await audit(cluster);
  });

  it('loses and doubles nothing when its writes take effect after their deadline', async () => {
    const cluster = opened();
    const both = [
      cluster.startActors({ storeTimeoutMs: DEADLINE_MS }),
      cluster.startActors({ storeTimeoutMs: DEADLINE_MS }),
    ];
    await cluster.settled(...both);
    await cluster.load.start();
    await pause(500);
    cluster.mongodb.delayWrites(1.5 * DEADLINE_MS);
    await pause(4 * DEADLINE_MS);
    cluster.mongodb.delayWrites(0);
    await assertRecovers(cluster.load, 'writes to MongoDB delayed past their deadline');
    await cluster.load.stop();
    await audit(cluster);
    expect(cluster.mongodb.lateWrites, 'writes that came late').to.be.above(0);
  });
});
