import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { openRedisCounters } from '#runtime/providers/redis/open-redis-counters';
import { redisUrl } from '#test/support/real-servers';
import { requireRedisServer } from '#test/support/redis-server';
import { openTcpProxy } from '#test/support/tcp-proxy';
import { type CountersHarness, countersContract } from '../../counters.contract.ts';
import { startLocalCluster } from './local-cluster.ts';

/** Two processes on one server, each behind the same proxy. */
async function openHarness(url: string) {
  const server = new URL(url);
  const proxy = await openTcpProxy(server.hostname, Number(server.port || 6379));
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${proxy.port}`;
  const prefix = `test-${randomUUID()}`;
  const open = () => openRedisCounters({ url: proxied.href, prefix });
  const other = await open();
  const harness = {
    counters: await open(),
    other,
    proxy,
    prefix,
    async reopen() {
      await harness.counters.close();
      harness.counters = await open();
    },
    async interrupt() {
      proxy.cut();
      return async () => proxy.restore();
    },
    async close() {
      await Promise.all([harness.counters.close(), other.close()]);
      await proxy.close();
      const direct = new Redis(url);
      const left = await direct.keys(`{${prefix}*`);
      if (left.length > 0) await direct.unlink(left);
      await direct.quit();
    },
  };
  return harness satisfies CountersHarness;
}

countersContract('Redis', async (test) => openHarness(redisUrl(test)));

countersContract('a Redis Cluster', async (test) => {
  requireRedisServer(test);
  const cluster = await startLocalCluster(3);
  const open = () => openRedisCounters({ url: cluster.url, prefix: 'test' });
  const [counters, other] = [await open(), await open()];
  return {
    counters,
    other,
    async close() {
      await Promise.all([counters.close(), other.close()]);
      await cluster.remove();
    },
  };
});

describe('runtime/providers/redis counters', () => {
  it('leaves no key that does not expire, and none that has only marks that ended', async function () {
    const url = redisUrl(this);
    const harness = await openHarness(url);
    const direct = new Redis(url);
    try {
      const now = Date.now();
      const { marks, sums } = harness.counters;
      await marks.put({ group: 'device', key: 'campaign' }, 'short', now + 500, now);
      await marks.put({ group: 'device', key: 'campaign' }, 'long', now + 5000, now);
      await sums.add([{ key: 'spent', amount: 1, expiresAtMs: now + 5000 }]);
      const keys = await direct.keys(`{${harness.prefix}*`);
      expect(keys).to.have.length(2);
      for (const key of keys) expect(await direct.pttl(key), key).to.be.within(1, 65_000);
      await marks.put({ group: 'device', key: 'campaign' }, 'later', now + 5000, now + 1000);
      const [set] = await direct.keys(`{${harness.prefix}:marks*`);
      expect(await direct.zrange(set!, '0', '-1')).to.have.members(['long', 'later']);
    } finally {
      await direct.quit();
      await harness.close();
    }
  });

  it('takes a silent Redis for an absent one', async function () {
    const harness = await openHarness(redisUrl(this));
    try {
      harness.proxy.stall();
      const before = performance.now();
      expect(await harness.counters.sums.read(['key'])).to.deep.equal([null]);
      expect(performance.now() - before).to.be.below(2500);
    } finally {
      await harness.close();
    }
  });
});
