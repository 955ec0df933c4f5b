import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { openRedisRateCounters } from '#runtime/providers/redis/open-redis-rate-counters';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '#test/support/eventually';
import { redisUrl } from '#test/support/real-servers';
import { openTcpProxy } from '#test/support/tcp-proxy';
import { ratesContract } from '../../rate-counters.contract.ts';

/** Two processes on one server, each behind the same proxy. */
async function openHarness(url: string) {
  const server = new URL(url);
  const proxy = await openTcpProxy(server.hostname, Number(server.port || 6379));
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${proxy.port}`;
  const prefix = `test-${randomUUID()}`;
  const open = () => openRedisRateCounters({ url: proxied.href, prefix, clock: systemClock });
  const [rates, other] = [await open(), await open()];
  return {
    rates,
    other,
    proxy,
    prefix,
    async interrupt() {
      proxy.cut();
      return async () => proxy.restore();
    },
    async close() {
      await Promise.all([rates.close(), other.close()]);
      await proxy.close();
      const direct = new Redis(url);
      const left = await direct.keys(`{${prefix}*`);
      if (left.length > 0) await direct.unlink(left);
      await direct.quit();
    },
  };
}

ratesContract('Redis', async (test) => openHarness(redisUrl(test)));

describe('runtime/providers/redis rates', () => {
  it('leaves no key that does not expire', async function () {
    const url = redisUrl(this);
    const harness = await openHarness(url);
    const direct = new Redis(url);
    try {
      await harness.rates.consume('a', 1, 5000);
      const [key] = await direct.keys(`{${harness.prefix}*`);
      expect(await direct.pttl(key!)).to.be.within(1, 5000);
    } finally {
      await direct.quit();
      await harness.close();
    }
  });

  it('takes a silent Redis for an absent one', async function () {
    const harness = await openHarness(redisUrl(this));
    try {
      await harness.rates.consume('a', 10, 60_000);
      harness.proxy.stall();
      const before = performance.now();
      expect((await harness.rates.consume('a', 1, 60_000)).consumed).to.equal(1);
      expect(performance.now() - before).to.be.below(2000);
      // What was stalled is thrown away, and new connections pass.
      await eventually('the shared count', async () => (await harness.rates.consume('a', 0, 60_000)).consumed >= 10);
    } finally {
      await harness.close();
    }
  });

  it('counts in memory where there has never been a Redis', async () => {
    const rates = await openRedisRateCounters({ url: 'redis://127.0.0.1:1', clock: systemClock });
    try {
      expect((await rates.consume('a', 3, 60_000)).consumed).to.equal(3);
      expect((await rates.consume('a', 1, 60_000)).consumed).to.equal(4);
    } finally {
      await rates.close();
    }
  });
});
