import { expect } from 'chai';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { eventually } from '../support/eventually.ts';
import { realProviders, startTestExchange, type TestExchange } from '../support/exchange.ts';
import { type RedisServer, requireRedisServer, startRedisServer } from '../support/redis-server.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { CountedMarket, metric } from './counted-market.ts';

const PARTITIONS = 4;
const PATIENT = { timeoutMs: 60_000 };
/** One way to home, ms. */
const DELAY_MS = 40;

describe('counts of a region with a log of its own', function () {
  this.timeout(240_000);
  const closing: (() => Promise<unknown>)[] = [];
  let market: CountedMarket;
  let edges: TestExchange[];
  let region: RedisServer;
  let link: TcpProxy;
  let prefix: string;

  before(async function () {
    requireRedisServer(this);
    const real = realProviders(this);
    closing.push(async () => {
      const client = await new MongoClient(real.MONGODB_URL!).connect();
      await client.db(new URL(real.MONGODB_URL!).pathname.slice(1)).dropDatabase();
      await client.close();
    });
    const server = async (appendfsync: 'always' | 'everysec' = 'always') => {
      const started = await startRedisServer({ appendfsync });
      closing.push(() => started.remove());
      return started;
    };
    const [money, facts] = [await server(), await server('everysec')];
    region = await server();
    link = await openTcpProxy('127.0.0.1', facts.port, DELAY_MS);
    closing.push(() => link.close());
    prefix = real.REDIS_PREFIX!;
    const home = { ...real, REDIS_URL: money.url, FACTS_REDIS_URL: facts.url, PARTITIONS: `${PARTITIONS}` };
    market = await CountedMarket.open(await startTestExchange(this, 'redis-mongodb', home));
    closing.push(() => market.close());
    const regional = { FACTS_REDIS_URL: `redis://127.0.0.1:${link.port}`, REGION_REDIS_URL: region.url, REGION: 'nyc' };
    edges = [];
    for (let edge = 0; edge < 2; edge++) {
      const started = await startTestExchange(this, 'redis-mongodb', { ...home, ...regional, ROLES: 'edge' });
      edges.push(started);
      closing.push(() => started.stop());
    }
    for (const { edgeUrl } of edges) await eventually('a first sale', () => market.sell(edgeUrl), PATIENT);
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  const sumOf = async (name: string) => {
    const values = await Promise.all(edges.map((edge) => metric(edge, name)));
    return values.reduce((sum, value) => sum + value, 0);
  };
  const isReported = async () => {
    const { auctions, impressions } = await market.report();
    return auctions >= market.sold && impressions === market.sold;
  };
  /** Entries of counts in the region's Redis. */
  async function waiting(): Promise<number> {
    const client = new Redis(region.url);
    const lengths = Array.from({ length: PARTITIONS }, (_, partition) =>
      client.xlen(`{${prefix}-nyc-facts:${partition}}:stream`),
    );
    const sum = (await Promise.all(lengths)).reduce((all, length) => all + length, 0);
    await client.quit();
    return sum;
  }

  it('of two edges are in the report, each once, and come home in fewer messages than edges send', async () => {
    const shared = await Promise.all(edges.map((edge) => metric(edge, 'exchange_region_counts_read_total')));
    const isSummed = async () => {
      await Promise.all(edges.map(({ edgeUrl }) => market.sellTimes(5, edgeUrl)));
      return (
        (await sumOf('exchange_region_counts_read_total')) - (await sumOf('exchange_region_counts_sent_total')) > 40
      );
    };
    await eventually('messages to be summed', isSummed, PATIENT);
    await market.sellTimes(5);
    await eventually('the report', isReported, PATIENT);
    expect((await market.report()).auctions).to.be.at.most(market.asked);
    expect(await metric(market.exchange, 'exchange_region_counts_read_total'), 'an edge at home sums nothing').to.equal(
      0,
    );
    for (const [index, edge] of edges.entries())
      expect(await metric(edge, 'exchange_region_counts_read_total'), 'both have a share').to.be.above(shared[index]!);
  });

  it('wait in the region while home is cut off, and arrive once it is back', async () => {
    await eventually('the report', isReported, PATIENT);
    link.cut();
    await Promise.all(edges.map(({ edgeUrl }) => market.sellTimes(20, edgeUrl)));
    const isBehind = async () => (await sumOf('exchange_region_counts_behind_seconds')) > 0;
    await eventually('the region to notice', isBehind, PATIENT);
    expect(await waiting()).to.be.above(0);
    expect(await sumOf('exchange_facts_log_away'), 'edges reach the log of their region').to.equal(0);
    link.restore();
    await eventually('the report', isReported, PATIENT);
    expect((await market.report()).auctions, 'each once').to.be.at.most(market.asked);
    await eventually('the region to be empty', async () => (await waiting()) === 0, PATIENT);
    expect(await sumOf('exchange_region_counts_behind_seconds')).to.equal(0);
    expect(await sumOf('exchange_fact_updates_dropped_total')).to.equal(0);
  });

  it('are brought home by an edge that stops', async () => {
    for (const { edgeUrl } of edges) await market.sellTimes(3, edgeUrl);
    for (const { exchange } of edges.splice(0)) await exchange.stop();
    expect(await waiting()).to.equal(0);
    await eventually('the report', isReported, PATIENT);
    expect((await market.report()).auctions).to.be.at.most(market.asked);
  });
});
