import { expect } from 'chai';
import { redisUrl } from '#test/support/real-servers';
import { openRedisHarness, type RedisLogHarness } from './redis-log-harness.ts';

const BYTES = 1_000_000;

describe('how much the catalogue log on Redis keeps', () => {
  let harness: RedisLogHarness;
  beforeEach(async function () {
    harness = await openRedisHarness(redisUrl(this), { keptCatalogue: { entries: 20_000, bytes: BYTES } });
  });
  afterEach(() => harness?.close());

  const publish = async (calls: number, payload: string) => {
    const { catalogue } = harness.provider;
    for (let call = 0; call < calls; call += 1) await catalogue.publish(Array.from({ length: 100 }, () => payload));
  };
  const length = () => harness.direct.xlen(harness.keys.catalogue());

  it('is bounded by bytes where entries are large', async () => {
    await publish(40, 'x'.repeat(500));
    expect(await length()).to.be.within(1_900, 2_000);
    await publish(20, 'é'.repeat(250));
    expect(await length(), 'bytes count, not characters').to.be.within(1_900, 2_000);
  });

  it('is never less than 1,000 entries, however large they are', async () => {
    await publish(15, 'x'.repeat(5_000));
    expect(await length()).to.equal(1_000);
    await publish(60, 'x'.repeat(100));
    expect(await length()).to.be.within(1_000, 7_000);
    await publish(60, 'x'.repeat(100));
    expect(await length(), 'large entries are gone').to.be.within(9_900, 10_000);
  });

  it('counts nothing for entries of releases that did not count, and drops them in their turn', async () => {
    const { catalogue } = harness.provider;
    await publish(10, 'x'.repeat(100));
    const tail = await catalogue.tail();
    const older = Array.from({ length: 1_500 }, (_, index) => tail + 1 + index);
    for (const number of older) await harness.direct.xadd(harness.keys.catalogue(), `${number}-0`, 'm', 'old');
    await harness.direct.set(harness.keys.catalogueNumber(), String(older.at(-1)));
    await publish(10, 'x'.repeat(100));
    expect(await length()).to.equal(3_500);
    const [first] = await catalogue.read(tail, 1, 0);
    expect(first).to.deep.equal({ number: tail + 1, payload: 'old' });
    await publish(30, 'x'.repeat(500));
    expect(await length()).to.be.within(1_900, 2_000);
  });
});
