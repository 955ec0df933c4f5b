import { setTimeout as pause } from 'node:timers/promises';
import { audit } from './audit.ts';
import { describeCluster } from './describe-cluster.ts';
import { assertRecovers } from './measure.ts';

/**
 * A garbage collection, a debugger, a machine that sleeps: the process stands still and believes it owns what it did.
 */
describeCluster('a process of actors paused past its lease', (opened) => {
  it('does no harm when it goes on, paused while busy', async () => {
    const cluster = opened();
    const other = cluster.startActors();
    const sleeper = cluster.startActors();
    await cluster.settled(other, sleeper);
    await cluster.load.start();
    await pause(Math.random() * 700);
    sleeper.pause();
    await assertRecovers(cluster.load, 'SIGSTOP while busy');
    await cluster.settled(other);
    sleeper.resume();
    await assertRecovers(cluster.load, 'SIGCONT after it');
    await cluster.settled(other, sleeper);
    await cluster.load.stop();
    await audit(cluster);
  });

  it('does no harm when it goes on, paused while blocked in a read', async () => {
    const cluster = opened();
    const other = cluster.startActors();
    const sleeper = cluster.startActors();
    await cluster.settled(other, sleeper);
    // Nothing is sent: both wait in XREAD, and what comes now Redis hands to the one that stands still, too.
    await cluster.blockedReaders(2);
    sleeper.pause();
    await assertRecovers(cluster.load, 'SIGSTOP in a read');
    await cluster.load.start();
    await cluster.settled(other);
    sleeper.resume();
    await assertRecovers(cluster.load, 'SIGCONT after it');
    await cluster.settled(other, sleeper);
    await cluster.load.stop();
    await audit(cluster);
  });
});
