import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { LogUnavailable } from '#runtime/ports/errors';
import { Keys } from '#runtime/providers/redis/keys';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { openRedisRateCounters } from '#runtime/providers/redis/open-redis-rate-counters';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '#test/support/eventually';
import { requireRedisServer } from '#test/support/redis-server';
import { logContract } from '../../log.contract.ts';
import type { LogHarness } from '../../log-contract/harness.ts';
import { payloadsOf, readOne } from '../../log-contract/reading.ts';
import { ratesContract } from '../../rate-counters.contract.ts';
import { type LocalCluster, startLocalCluster } from './local-cluster.ts';
import { KEPT_CATALOGUE } from './redis-log-harness.ts';

describe('a Redis Cluster of three nodes', () => {
  let cluster: LocalCluster;
  before(async function () {
    requireRedisServer(this);
    cluster = await startLocalCluster(3);
  });
  after(() => cluster?.remove());

  async function openHarness(): Promise<LogHarness & { keys: Keys }> {
    const prefix = `test-${randomUUID()}`;
    const keys = new Keys(prefix);
    const open = () =>
      openRedisLog({ url: cluster.url, prefix, partitions: 32, requestTimeoutMs: 2000, keptCatalogue: KEPT_CATALOGUE });
    const provider = await open();
    return {
      provider,
      keys,
      isCluster: true,
      connect: open,
      async reopen() {
        await provider.close();
        return open();
      },
      async interrupt() {
        for (const proxy of cluster.proxies) proxy.cut();
        return async () => {
          for (const proxy of cluster.proxies) proxy.restore();
        };
      },
      async wipePartition(partition) {
        await cluster.client.del(keys.stream(partition));
      },
      async wipeCatalogue() {
        await cluster.client.del(keys.catalogue(), keys.catalogueNumber(), keys.catalogueSum());
      },
      close: () => provider.close(),
    };
  }

  logContract('Redis Streams in a Redis Cluster', openHarness);

  ratesContract('a Redis Cluster', async () => {
    const prefix = `test-${randomUUID()}`;
    const open = () => openRedisRateCounters({ url: cluster.url, prefix, clock: systemClock });
    const [rates, other] = [await open(), await open()];
    return { rates, other, close: async () => void (await Promise.all([rates.close(), other.close()])) };
  });

  it('warns of each node that does not fsync every write', async () => {
    const { provider, close } = await openHarness();
    try {
      expect(provider.warnings.filter((warning) => warning.includes('appendfsync everysec'))).to.have.length(3);
    } finally {
      await close();
    }
  });

  it('warns of each node that serves nothing while one of them is away', async () => {
    const ofCoverage = ({ warnings }: { readonly warnings: readonly string[] }) =>
      warnings.filter((warning) => warning.includes('cluster-require-full-coverage yes')).length;
    const asItIs = await openHarness();
    const nodes = cluster.client.nodes('master');
    await Promise.all(nodes.map((node) => node.config('SET', 'cluster-require-full-coverage', 'no')));
    const asWanted = await openHarness();
    try {
      expect([ofCoverage(asItIs.provider), ofCoverage(asWanted.provider)]).to.deep.equal([3, 0]);
    } finally {
      await Promise.all(nodes.map((node) => node.config('SET', 'cluster-require-full-coverage', 'yes')));
      await Promise.all([asItIs.close(), asWanted.close()]);
    }
  });

  it('goes on by itself after every connection was lost', async () => {
    const { provider, close } = await openHarness();
    const { log } = provider;
    const partitions = Array.from({ length: log.partitions }, (_, partition) => partition);
    try {
      await Promise.all(partitions.map((partition) => log.append(partition, ['before'])));
      const { last } = await log.tail(0);
      const reading = readOne(log, 0, last, 10, 60_000).catch((error: unknown) => error as Error);
      for (const proxy of cluster.proxies) {
        proxy.cut();
        proxy.restore();
      }
      await eventually('appends to all partitions', async () => {
        await Promise.all(partitions.map((partition) => log.append(partition, ['after'])));
        return true;
      });
      const read = await reading;
      if (read instanceof Error) expect(read).to.be.instanceOf(LogUnavailable);
      else expect(read.map(({ payload }) => payload)).to.include('after');
      for (const partition of partitions) {
        const payloads = await payloadsOf(log, partition);
        expect(payloads[0]).to.equal('before');
        expect(payloads.at(-1)).to.equal('after');
      }
      const waiting = readOne(log, 1, (await log.tail(1)).last, 10, 60_000);
      await log.append(1, ['and on']);
      expect((await waiting).map(({ payload }) => payload)).to.deep.equal(['and on']);
    } finally {
      await close();
    }
  });

  it('goes on with the other partitions while a node does not answer, and comes back to it', async () => {
    const { provider, close } = await openHarness();
    const { log } = provider;
    const partitions = Array.from({ length: log.partitions }, (_, partition) => partition);
    const appends = () =>
      Promise.all(
        partitions.map((partition) =>
          log.append(partition, ['a']).then(
            () => true,
            (error: unknown) => {
              expect(error).to.be.instanceOf(LogUnavailable);
              return false;
            },
          ),
        ),
      );
    try {
      expect(await appends()).not.to.include(false);
      cluster.proxies[0]!.cut();
      await eventually('some partitions to fail and others not', async () => {
        const outcomes = await appends();
        return outcomes.includes(true) && outcomes.includes(false);
      });
      cluster.proxies[0]!.restore();
      await eventually('all partitions to be served', async () => !(await appends()).includes(false));
    } finally {
      await close();
    }
  });

  it('follows a partition that moves to another node', async () => {
    const { provider, keys, close } = await openHarness();
    const { log } = provider;
    const partitions = Array.from({ length: log.partitions }, (_, partition) => partition);
    try {
      const [position] = await log.append(0, ['before']);
      await cluster.moveSlotOf(keys.stream(0));
      await eventually('the partition to be found on its new node', async () => {
        await Promise.all(partitions.map((partition) => log.append(partition, ['after'])));
        return true;
      });
      expect((await readOne(log, 0, position, 10, 60_000)).at(-1)!.payload).to.equal('after');
      expect((await payloadsOf(log, 0))[0]).to.equal('before');
    } finally {
      await close();
    }
  });
});
