import { setTimeout as pause } from 'node:timers/promises';
import { audit } from './audit.ts';
import { AS_SHIPPED } from './cluster.ts';
import { describeCluster } from './describe-cluster.ts';
import { assertRecovers } from './measure.ts';

const AWAY_MS = 1_500;

describeCluster('Redis killed under load and started again', (opened) => {
  it('loses and doubles nothing that was acknowledged', async () => {
    const cluster = opened();
    const both = [cluster.startActors({ tuning: AS_SHIPPED }), cluster.startActors({ tuning: AS_SHIPPED })];
    await cluster.settled(...both);
    await cluster.load.start();
    for (let round = 1; round <= 2; round++) {
      await pause(500 + Math.random() * 500);
      await cluster.redis.kill();
      await pause(AWAY_MS);
      await cluster.redis.start();
      await assertRecovers(cluster.load, `kill −9 of Redis, round ${round}`);
    }
    await cluster.load.stop();
    await audit(cluster);
  });
});
