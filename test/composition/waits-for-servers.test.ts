import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { callJson, realProviders } from '../support/exchange.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { Installation } from './installation.ts';

describe('the program, started before the servers that it needs', () => {
  let installation: Installation;
  let redis: TcpProxy;
  let mongodb: TcpProxy;
  beforeEach(async function () {
    const real = realProviders(this);
    const [redisUrl, mongodbUrl] = [new URL(real.REDIS_URL!), new URL(real.MONGODB_URL!)];
    redis = await openTcpProxy(redisUrl.hostname, Number(redisUrl.port));
    mongodb = await openTcpProxy(mongodbUrl.hostname, Number(mongodbUrl.port));
    redis.cut();
    mongodb.cut();
    redisUrl.port = String(redis.port);
    mongodbUrl.port = String(mongodb.port);
    installation = await Installation.make({ ...real, REDIS_URL: redisUrl.href, MONGODB_URL: mongodbUrl.href });
  });
  afterEach(async () => {
    await installation.remove();
    await redis.close();
    await mongodb.close();
  });

  it('waits for Redis, then for MongoDB, names each once a second, is unready meanwhile, and then serves', async () => {
    const run = installation.run();
    await run.said(/"waiting for Redis \(REDIS_URL\)"[\s\S]*"waiting for Redis \(REDIS_URL\)"/);
    const unready = await callJson('GET', `${installation.opsUrl}/readyz`);
    expect(unready.status).to.equal(503);
    expect(unready.body).to.deep.equal({ status: 'unready', missing: ['start', 'log', 'store', 'catalogue'] });
    await eventually('the API to be closed', () =>
      callJson('GET', `${installation.baseUrl}/api/health`).then(
        () => false,
        () => true,
      ),
    );
    redis.restore();
    await run.said(/"waiting for MongoDB \(MONGODB_URL\)"/);
    mongodb.restore();
    await run.serving();
    expect((await callJson('GET', `${installation.opsUrl}/readyz`)).body).to.deep.equal({
      status: 'ready',
      missing: [],
    });
    const waits = run.log.filter(({ msg }) => /^waiting for (?:Redis|MongoDB)/.test(String(msg)));
    for (const { level, waitedMs, withinMs, problem } of waits) {
      expect(level).to.equal(40);
      expect(waitedMs).to.be.a('number');
      expect(withinMs).to.equal(60_000);
      expect(problem).to.be.a('string');
    }
    expect(run.stderr).to.equal('');
  });

  it('ends with 1 and names the server that has not come up when the time for that is over', async () => {
    const run = installation.run({ START_WAIT_SECONDS: '0' });
    expect(await run.exited).to.equal(1);
    expect(run.stderr).to.match(/^The exchange could not start: nothing to work with at REDIS_URL: .*\n$/);
  });
});
