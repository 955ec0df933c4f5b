import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { Installation } from './installation.ts';

describe('the program, stopped where it drains', () => {
  let installation: Installation;
  before(async () => {
    installation = await Installation.make({ DRAIN_SECONDS: '2' });
  });
  after(() => installation.remove());

  it('turns unready at once, serves on, closes each connection, and then ends', async () => {
    const run = await installation.start();
    const { baseUrl, edgeUrl, opsUrl } = installation;
    const before = await callJson('GET', `${baseUrl}/api/health`);
    expect(before.headers.get('connection')).not.to.equal('close');

    run.signal('SIGTERM');
    const signalledAt = performance.now();
    const unready = await eventually('it to be unready', async () => {
      const answer = await callJson('GET', `${opsUrl}/readyz`);
      return answer.status === 503 && answer.body;
    });
    expect(unready.missing).to.deep.equal(['stop']);
    expect(performance.now() - signalledAt, 'ms until it is not ready').to.be.below(15_000);

    const health = await callJson('GET', `${baseUrl}/api/health`);
    expect([health.status, health.headers.get('connection')]).to.deep.equal([200, 'close']);
    const pixel = await fetch(`${edgeUrl}/track/impression`);
    expect([pixel.status, pixel.headers.get('connection')]).to.deep.equal([200, 'close']);
    expect((await callJson('GET', `${opsUrl}/livez`)).status).to.equal(200);

    expect(await run.exited).to.equal(0);
    expect(performance.now() - signalledAt).to.be.within(1_900, 35_000);
  });
});
