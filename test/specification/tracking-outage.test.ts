import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { type RedisServer, requireRedisServer, startRedisServer } from '../support/redis-server.ts';
import { steadyDeadlines } from '../support/steady-clock.ts';
import { ExchangeUnderTest } from './against-exchange.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

describe('specification: impression tracking while the log is away', () => {
  const exchange = new ExchangeUnderTest();
  let redis: RedisServer;
  let market: Market;

  before(async function () {
    requireRedisServer(this);
    redis = await startRedisServer();
    const environment = { REDIS_URL: redis.url, REDIS_PREFIX: `test-${randomUUID()}` };
    await exchange.start(this, 'embedded', environment, steadyDeadlines);
    market = await exchange.market({ bidders: [{ script: bids({ price: 2.5 }) }] });
  });
  after(async () => {
    await exchange.stop();
    await redis?.remove();
  });

  shows('tracking.spool', async () => {
    const urls: string[] = [];
    for (let count = 0; count < 10; count++) urls.push((await market.bid()).burl);
    const statuses: number[] = [];
    const fire = async (some: readonly string[]) => {
      for (const url of some) statuses.push((await fetch(url)).status);
    };
    await fire(urls.slice(0, 3));
    await redis.kill();
    await fire(urls.slice(3));
    await redis.start();
    await fire(urls);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    const path = `/api/supply/sources/${market.publisherId}/stats`;
    const { revenue_cents } = await eventually(
      'every impression to be billed',
      async () => {
        const { body } = await exchange.get(path);
        return body.impressions === urls.length && body;
      },
      { timeoutMs: 60_000 },
    );
    expect(revenue_cents).to.equal(urls.length * 0.25);
  });
});
