import { expect } from 'chai';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { CountedMarket, metric } from '#test/composition/counted-market';
import { eventually } from '#test/support/eventually';
import { realProviders, startTestExchange, type TestExchange } from '#test/support/exchange';
import { type Ended, exchangeCommand } from '#test/support/exchange-command';

const PATIENT = { timeoutMs: 60_000 };
const [BEFORE, AFTER] = ['4', '9'];
const SALES = 10;

describe('an exchange with a region that is moved to more partitions, by the steps of the page', function () {
  this.timeout(240_000);
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('bills what the region sold before and after, each once', async function () {
    const real = realProviders(this);
    const { REDIS_URL: url = '', REDIS_PREFIX: prefix } = real;
    closing.push(async () => {
      const client = await new MongoClient(real.MONGODB_URL!).connect();
      await client.db(new URL(real.MONGODB_URL!).pathname.slice(1)).dropDatabase();
      await client.close();
    });
    const start = async (settings: Record<string, string>): Promise<TestExchange> => {
      const started = await startTestExchange(this, 'redis-mongodb', { ...real, ...settings });
      closing.push(() => started.stop().catch(() => {}));
      return started;
    };
    const ofRegion = { REGION: 'nyc', ROLES: 'edge', REGION_REDIS_URL: url };
    const command = (...args: string[]): Promise<Ended> => exchangeCommand(real, ...args);
    const regions = async () => JSON.parse((await command('regions', 'list', '--json')).stdout);
    const outcome = (starting: Promise<TestExchange>) =>
      starting.then(
        () => 'it serves',
        (error: Error) => error.message,
      );

    const first = await CountedMarket.open(await start({ PARTITIONS: BEFORE }));
    closing.push(() => first.close().catch(() => {}));
    const edge = await start({ PARTITIONS: BEFORE, ...ofRegion });
    await eventually('a first sale in the region', () => first.sell(edge.edgeUrl), PATIENT);
    await first.sellTimes(SALES, edge.edgeUrl);

    // 1. Nothing is asked of the edge any more, which goes on.
    const endedAtMs = Date.now();
    await eventually('the spool to be empty', async () => (await metric(edge, 'exchange_spool_files')) === 0, PATIENT);
    const isDrained = async () => Date.parse((await regions())[0].drained_through) > endedAtMs;
    await eventually('the region to be at home', isDrained, PATIENT);
    await eventually('it to be billed', async () => (await first.report()).impressions === first.sold, PATIENT);
    // 2.
    await edge.exchange.stop();
    // 3. Within the minute.
    const [{ name }] = await regions();
    const early = await command('regions', 'write-off', name, '--why', 'more partitions');
    expect([early.code, early.stderr.includes('is alive')]).to.deep.equal([1, true]);
    expect((await command('regions', 'write-off', name, '--why', 'more partitions', '--force')).code).to.equal(0);
    // 4.
    await first.exchange.exchange.stop();
    let moved = await command('partitions', '--to', AFTER);
    for (let again = 0; again < 5 && moved.stderr.includes('Messages wait'); again++) {
      await (await start({ PARTITIONS: BEFORE })).exchange.stop();
      moved = await command('partitions', '--to', AFTER);
    }
    expect(moved.code, moved.stderr).to.equal(0);
    const second = first.on(await start({ PARTITIONS: AFTER }));
    expect(await outcome(start({ PARTITIONS: AFTER, ...ofRegion })), 'its keys are there').to.include(
      'has 4 partitions and that at REDIS_URL 9',
    );
    // 5.
    const redis = new Redis(url);
    closing.push(() => redis.quit());
    await redis.unlink([...(await redis.keys(`{${prefix}-nyc}:*`)), ...(await redis.keys(`{${prefix}-nyc:*}:*`))]);
    const begunAnew = await start({ PARTITIONS: AFTER, ...ofRegion });
    for (const pixel of first.pixels) expect((await fetch(`${begunAnew.edgeUrl}${pixel}`)).status).to.equal(200);
    await eventually('a sale in the region', () => second.sell(begunAnew.edgeUrl), PATIENT);
    await second.sellTimes(SALES, begunAnew.edgeUrl);
    await eventually('all to be billed', async () => (await second.report()).impressions >= second.sold, PATIENT);
    const nowMs = Date.now();
    const isHome = async () =>
      (await regions()).some((one: { name: string; drained_through: string }) => {
        return one.name !== name && Date.parse(one.drained_through) > nowMs;
      });
    await eventually('the repeated pixels to be at home', isHome, PATIENT);
    expect((await second.report()).impressions).to.equal(second.sold);
  });
});
