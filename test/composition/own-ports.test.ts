import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { PROVIDER_PAIRS, startTestExchange, type TestExchange } from '../support/exchange.ts';

for (const pair of PROVIDER_PAIRS) {
  describe(`our own ports, on ${pair}`, () => {
    let running: TestExchange;
    before(async function () {
      running = await startTestExchange(this, pair, { ALLOW_PRIVATE_NETWORKS: 'true' });
    });
    after(() => running?.stop());

    const targets = () => {
      const { REDIS_URL, MONGODB_URL } = running.environment;
      const stores = [REDIS_URL, MONGODB_URL].flatMap((url) =>
        url === undefined ? [] : [`http://${new URL(url).host}`],
      );
      const ports = [running.baseUrl, running.edgeUrl, running.opsUrl];
      return [...ports, ...ports.map((url) => url.replace('127.0.0.1', 'localhost')), ...stores];
    };

    it('are never called as a bidder, though private networks are allowed', async () => {
      for (const [index, endpoint_url] of targets().entries()) {
        const fields = { name: `Inside ${index}`, mode: 'rtb', endpoint_url, sandbox: true };
        const made = await running.call('POST', '/api/demand/sources', fields);
        const tried = await running.call('POST', '/api/sandbox/test-bid', { dsp_id: made.body.id });
        expect([tried.body.outcome, tried.body.response_status], endpoint_url).to.deep.equal(['error', null]);
        expect(tried.body.reason).to.contain('an endpoint of the exchange itself');
      }
    });

    it('are never called as a webhook, though private networks are allowed', async () => {
      for (const target of targets()) {
        const made = await running.call('POST', '/api/webhooks', {
          url: `${target}/livez`,
          events: ['pool.dsp_joined'],
        });
        expect(made.status, JSON.stringify(made.body)).to.equal(201);
        const sent = await running.call('POST', `/api/webhooks/${made.body.id}/test`);
        expect(sent.status, JSON.stringify(sent.body)).to.be.below(300);
        await eventually(`the delivery to ${target} to fail`, async () => {
          const { body } = await running.call('GET', `/api/webhooks/${made.body.id}/deliveries`);
          const text = JSON.stringify(body);
          return text.includes('not of the public Internet');
        });
        await running.call('DELETE', `/api/webhooks/${made.body.id}`);
      }
    });
  });
}
