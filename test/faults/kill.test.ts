import { setTimeout as pause } from 'node:timers/promises';
import { audit } from './audit.ts';
import { AS_SHIPPED } from './cluster.ts';
import { describeCluster } from './describe-cluster.ts';
import type { KillPoint } from './kill-point.ts';
import { assertRecovers } from './measure.ts';

/** Each is a place where what is durable and what has left the process differ. Two processes die in each round. */
const DEATHS: readonly (readonly KillPoint[])[] = [
  [
    { step: 'save', moment: 'before', at: 12 },
    { step: 'save', moment: 'midway', at: 2 },
  ],
  [
    { step: 'save', moment: 'after', at: 17 },
    { step: 'publish', moment: 'after', at: 5 },
  ],
  [
    { step: 'commit', moment: 'before', at: 9 },
    { step: 'commit', moment: 'after', at: 14 },
  ],
];

describeCluster('a process of actors killed under load', (opened) => {
  it('is replaced by the other with the numbers as shipped', async () => {
    const cluster = opened();
    const survivor = cluster.startActors({ tuning: AS_SHIPPED });
    const victim = cluster.startActors({ tuning: AS_SHIPPED });
    await cluster.settled(survivor, victim);
    await cluster.load.start();
    await pause(500 + Math.random() * 500);
    await victim.kill();
    await assertRecovers(cluster.load, 'kill −9');
    await cluster.load.stop();
    await audit(cluster);
  });

  it('loses and doubles nothing, at random moments', async () => {
    const cluster = opened();
    let survivor = cluster.startActors();
    await cluster.settled(survivor);
    await cluster.load.start();
    for (let round = 1; round <= 2; round++) {
      const victim = survivor;
      survivor = cluster.startActors();
      await cluster.settled(survivor, victim);
      await pause(Math.random() * 1000);
      await victim.kill();
      await assertRecovers(cluster.load, `kill −9 of the elder, round ${round}`);
    }
    await cluster.load.stop();
    await audit(cluster);
  });

  it('loses and doubles nothing, inside a batch', async () => {
    const cluster = opened();
    const survivor = cluster.startActors();
    await cluster.settled(survivor);
    await cluster.load.start();
    for (const deaths of DEATHS) {
      const victims = deaths.map((death) => cluster.startActors({ death }));
      await Promise.all(victims.map((victim) => victim.died()));
      const named = deaths.map(({ step, moment }) => `${moment} a ${step}`).join(' and ');
      await assertRecovers(cluster.load, `deaths ${named}`);
    }
    await cluster.load.stop();
    await audit(cluster);
  });
});
