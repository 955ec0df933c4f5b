import { expect } from 'chai';
import { type MongodbProxy, openMongodbProxy } from '../faults/mongodb-proxy.ts';
import { callJson, realProviders } from '../support/exchange.ts';
import { Installation } from './installation.ts';

/** What a start takes at most, servers and all. */
const START_MS = 15_000;

describe('an exchange on a MongoDB whose indexes take long', () => {
  let installation: Installation;
  let proxy: MongodbProxy;
  beforeEach(async function () {
    const real = realProviders(this);
    proxy = await openMongodbProxy(real.MONGODB_URL!, 20);
    installation = await Installation.make({ ...real, MONGODB_URL: proxy.url });
  });
  afterEach(async () => {
    await installation.remove();
    await proxy.close();
  });

  it('serves as soon as ever, and says what is under way', async () => {
    proxy.delayCommands(['createIndexes'], 20_000);
    const run = await installation.run({ LOG_LEVEL: 'info' }).serving();
    expect(performance.now() - run.startedAt).to.be.below(START_MS);
    const { status, body } = await callJson('GET', `${installation.opsUrl}/readyz`);
    expect(status).to.equal(200);
    expect((body as { underWay: string[] }).underWay).to.include('indexes of campaign');
    const metrics = await (await fetch(`${installation.opsUrl}/metrics`)).text();
    expect(Number(/^store_unindexed_kinds (\d+)$/m.exec(metrics)?.[1])).to.be.above(5);
    expect(run.log.map(({ msg }) => msg)).to.include(
      'indexes are being made beside serving: what they are for is slower meanwhile',
    );
  });
});
