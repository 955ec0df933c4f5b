import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { audit } from '../audit.ts';
import { AS_SHIPPED, PARTITIONS } from '../cluster.ts';
import { describeCluster } from '../describe-cluster.ts';

const HANDED_OVER_WITHIN_MS = 10_000;
/** The node is fit again 10 s after its store is back. */
const WATCHED_MS = 8_000;

describeCluster('one of three processes of actors that loses only its store', (opened) => {
  it('hands its partitions over within 10 s, loses and doubles nothing, and does not flap when it is back', async () => {
    const cluster = opened();
    const proxy = await cluster.ownProxy();
    const well = [cluster.startActors({ tuning: AS_SHIPPED }), cluster.startActors({ tuning: AS_SHIPPED })];
    const sick = cluster.startActors({ tuning: AS_SHIPPED, mongodb: proxy });
    await cluster.settled(sick, ...well);
    await cluster.load.start();
    await pause(500);

    const held = sick.owned.length;
    const since = performance.now();
    proxy.cut();
    const answered = cluster.load.timeToRecoverMs();
    await eventually(
      'the others to have all partitions',
      () => sick.owned.length === 0 && new Set(well.flatMap(({ owned }) => owned)).size === PARTITIONS,
      { timeoutMs: 60_000 },
    );
    const movedMs = performance.now() - since;
    const answeredMs = await answered;
    const seconds = [movedMs, answeredMs].map((ms) => (ms / 1000).toFixed(1));
    process.stdout.write(`      ${held} partitions moved after ${seconds[0]} s, all answer after ${seconds[1]} s\n`);
    expect(movedMs, 'until the partitions had moved').to.be.below(HANDED_OVER_WITHIN_MS);
    expect(answeredMs, 'until all partitions answered').to.be.below(HANDED_OVER_WITHIN_MS);

    let moves = 0;
    let before = '';
    proxy.restore();
    const until = performance.now() + WATCHED_MS;
    while (performance.now() < until) {
      await pause(100);
      const now = [sick, ...well].map(({ owned }) => owned.join()).join(' | ');
      if (before !== '' && now !== before) moves++;
      before = now;
    }
    expect(moves, 'moves while the node is on probation').to.equal(0);
    await cluster.settled(sick, ...well);
    expect(
      cluster.log.filter((line) => line.includes('is unfit')),
      'times it was unfit',
    ).to.have.length(1);
    await cluster.load.stop();
    await audit(cluster);
  });

  it('keeps its partitions when the store is away for all', async () => {
    const cluster = opened();
    const all = [1, 2, 3].map(() => cluster.startActors({ tuning: AS_SHIPPED }));
    await cluster.placed(...all);
    await cluster.load.start();
    const owned = () => all.map((one) => one.owned.join()).join(' | ');
    const before = owned();
    cluster.mongodb.cut();
    await pause(HANDED_OVER_WITHIN_MS);
    cluster.mongodb.restore();
    await cluster.load.timeToRecoverMs();
    await eventually('all to have what they had', () => owned() === before, { timeoutMs: 60_000 });
    expect(cluster.log.filter((line) => line.includes('is unfit'))).to.deep.equal([]);
    await cluster.load.stop();
    await audit(cluster);
  });
});
