import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { openRedisLog, type RedisLogProvider } from '#runtime/providers/redis/open-redis-log';
import { eventually } from '../support/eventually.ts';
import { callJson, realProviders, startTestExchange, type TestExchange } from '../support/exchange.ts';
import { exchangeCommand } from '../support/exchange-command.ts';
import { freePort } from '../support/free-port.ts';
import { CountedMarket, metric } from './counted-market.ts';

const PARTITIONS = 4;
const PATIENT = { timeoutMs: 60_000 };

describe("a region's log that is written off while its edges sell", function () {
  this.timeout(240_000);
  const closing: (() => Promise<unknown>)[] = [];
  let market: CountedMarket;
  let environment: Record<string, string>;
  let edge: TestExchange;
  let home: RedisLogProvider;
  let region: Redis;

  before(async function () {
    const real = realProviders(this);
    closing.push(async () => {
      const client = await new MongoClient(real.MONGODB_URL!).connect();
      await client.db(new URL(real.MONGODB_URL!).pathname.slice(1)).dropDatabase();
      await client.close();
    });
    const ofRegion = { REGION: 'nyc', ROLES: 'edge', REGION_REDIS_URL: real.REDIS_URL!, DRAIN_SECONDS: '0' };
    environment = { ...real, PARTITIONS: `${PARTITIONS}`, ...ofRegion };
    const atHome = { ...real, PARTITIONS: `${PARTITIONS}` };
    market = await CountedMarket.open(await startTestExchange(this, 'redis-mongodb', atHome));
    closing.push(() => market.close());
    edge = await startTestExchange(this, 'redis-mongodb', environment);
    closing.push(() => edge.stop());
    home = await openRedisLog({ url: real.REDIS_URL!, prefix: real.REDIS_PREFIX!, mustBeKnown: true });
    closing.push(() => home.close());
    region = new Redis(real.REDIS_URL!);
    closing.push(() => region.quit());
    await eventually('a first sale in the region', () => market.sell(edge.edgeUrl), PATIENT);
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  const sourceOf = async () => (await home.relayed.sources(0)).find(({ writtenOff }) => writtenOff === null)?.source;
  const ready = async () => {
    const { status, body } = await callJson('GET', `${edge.opsUrl}/readyz?exclude=log&exclude=store`);
    return [status, body.missing];
  };
  const ask = () => {
    const site = { id: market.publisherId };
    const imp = [{ id: '1', banner: { w: 300, h: 250 } }];
    return callJson('POST', `${edge.edgeUrl}/rtb`, { id: randomUUID(), imp, site });
  };
  const billed = async () => (await market.report()).impressions;

  it('refuses auctions, is not ready, spools pixels until the log is another one, and starts no more', async function () {
    const source = (await sourceOf())!;
    expect(await ready()).to.deep.equal([200, []]);
    await eventually('what was sold to be billed', async () => (await billed()) === market.sold, PATIENT);
    const { status, body } = await ask();
    expect(status).to.equal(200);
    const { pathname, search } = new URL(body.seatbid[0].bid[0].burl);

    const writeOff = ['regions', 'write-off', source, '--why', 'a mistake'] as const;
    const refused = await exchangeCommand(environment, ...writeOff);
    expect([refused.code, refused.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes('is alive') && text.includes('--force'),
    );
    expect(await sourceOf(), 'nothing was changed').to.equal(source);
    expect((await exchangeCommand(environment, ...writeOff, '--force')).code).to.equal(0);

    await eventually('the edge to hear of it', async () => (await ready())[0] === 503, PATIENT);
    expect(await ready()).to.deep.equal([503, ['region']]);
    expect(await metric(edge, 'exchange_region_written_off')).to.equal(1);
    const unsold = await ask();
    expect([unsold.status, unsold.body.error.code]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
    const before = await billed();
    expect((await fetch(`${edge.edgeUrl}${pathname}${search}`)).status, 'the spool keeps it').to.equal(200);
    expect(await metric(edge, 'exchange_spool_files')).to.be.above(0);

    const second = { ...environment, EDGE_PORT: `${await freePort()}`, OPS_PORT: `${await freePort()}` };
    const start = startTestExchange(this, 'redis-mongodb', second).then(
      async (started) => {
        await started.stop();
        return 'it serves';
      },
      (error: Error) => error.message,
    );
    expect(await start).to.include(`${source}, was written off (a mistake)`);

    await region.unlink(await region.keys(`{${environment.REDIS_PREFIX}-nyc*`));
    await eventually('the edge to serve with a log made anew', async () => (await ready())[0] === 200, PATIENT);
    expect(await sourceOf()).not.to.equal(source);
    market.sold += 1;
    await eventually('the spooled one to be billed', async () => (await billed()) === before + 1, PATIENT);
    await eventually('a sale in the region', () => market.sell(edge.edgeUrl), PATIENT);
    await eventually('it to be billed', async () => (await billed()) === market.sold, PATIENT);
  });
});
