import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { apiKey } from '../../actors/api-key/api-key.ts';
import { scenarioNames } from '../../exchange/sandbox/scenarios.ts';
import { credentialId } from '../../gateways/http/credential-id.ts';
import { eventually } from '../support/eventually.ts';
import { callJson, PROVIDER_PAIRS, startTestExchange, type TestExchange } from '../support/exchange.ts';

const NAMES = ['HighBidder', 'LowBidder', 'RandomBidder', 'TimeoutDSP'];

/** Private networks are refused, so that nothing on loopback could be called. */
for (const pair of PROVIDER_PAIRS) {
  describe(`the sandbox of every account, on ${pair}`, () => {
    let running: TestExchange;
    before(async function () {
      running = await startTestExchange(this, pair, { ALLOW_PRIVATE_NETWORKS: 'false' });
    });
    after(() => running?.stop());

    const expectSold = async (key: string) => {
      const headers = { 'X-API-Key': key };
      const get = async (path: string) => (await callJson('GET', `${running.baseUrl}${path}`, undefined, headers)).body;
      expect(await get('/api/sandbox/health')).to.include({ status: 'ok', test_publishers_available: 3 });
      expect((await get('/api/sandbox/health')).synthetic_dsps).to.deep.equal(NAMES);
      for (const scenario of scenarioNames) {
        await eventually(`${scenario} to be sold`, async () => {
          const request = await get(`/api/sandbox/test-bid?scenario=${scenario}`);
          return (await callJson('POST', `${running.edgeUrl}/rtb`, request, { 'X-Sandbox': 'true' })).status === 200;
        });
      }
      const { dsps } = await get('/api/demand/sources?status=sandbox');
      const idOf = (name: string) => dsps.find((one: { name: string }) => one.name === name).id;
      for (const [name, outcome] of [
        ['HighBidder', 'win'],
        ['TimeoutDSP', 'timeout'],
      ] as const) {
        const tried = await callJson(
          'POST',
          `${running.baseUrl}/api/sandbox/test-bid`,
          { dsp_id: idOf(name) },
          headers,
        );
        expect(tried.body.outcome, name).to.equal(outcome);
      }
    };

    it('has synthetic demand that buys each test request while private networks are refused', async () => {
      await expectSold(running.sandboxKey);
    });

    it('is there for an account that is opened later', async () => {
      const headers = { Cookie: await running.logIn() };
      const opened = await callJson('POST', `${running.baseUrl}/api/accounts`, { name: 'Opened later' }, headers);
      expect(opened.status).to.equal(201);
      const key = `pk_sandbox_${randomUUID()}`;
      const fields = {
        accountId: opened.body.id,
        environment: 'sandbox',
        name: 'A key',
        hint: 'pk_sandbox_xxxx',
      } as const;
      await running.exchange.node.messenger.ask(apiKey, credentialId(key), 'create', fields);
      await expectSold(key);
    });

    it('cannot be reached by others: the API takes no endpoint of its scheme', async () => {
      const made = await running.call('POST', '/api/demand/sources', {
        name: 'A thief',
        mode: 'rtb',
        endpoint_url: 'synthetic:high-bidder',
      });
      expect([made.status, made.body.error.field]).to.deep.equal([400, 'endpoint_url']);
    });
  });
}
