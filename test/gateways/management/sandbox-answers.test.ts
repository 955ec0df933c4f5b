import { expect } from 'chai';
import { scenarioNames } from '#exchange/sandbox/scenarios';
import { createAccountSandbox, syntheticDspId } from '#gateways/management/bootstrap/account-sandbox';
import { SILENT } from '#runtime/node/logger';
import { bids, malformedJson, noBid, type Script, startBidder } from '../../support/bidder.ts';
import { vastUrl } from '../../support/shared-creative-origin.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

/** Here every answer is held against the schema that describes it. */
describe('gateways/management/sandbox answers', () => {
  let running: RunningManagement;
  before(async function () {
    running = await startManagement(this, 'embedded', { settings: { allowPrivateNetworks: true } });
    await createAccountSandbox({ ...running.parts, logger: SILENT }, running.accountId);
    // They are the oldest that are bought from.
    const { publishers } = (await running.sandboxApi.get('/api/supply/sources')).body;
    for (const { id } of publishers) await running.sandboxApi.delete(`/api/supply/sources/${id}`);
  });
  after(() => running.close());

  const demand = async (fields: object): Promise<string> => {
    const answer = await running.sandboxApi.post('/api/demand/sources', { name: `DSP ${Math.random()}`, ...fields });
    expect(answer.status).to.equal(201);
    return answer.body.id;
  };
  const post = async (path: string, body: object) => {
    const answer = await running.sandboxApi.post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  };

  for (const scenario of scenarioNames) {
    it(`of the request of ${scenario} name the account’s own publisher once the synthetic demand buys from it`, async () => {
      const read = async () => (await running.api.get(`/api/sandbox/test-bid?scenario=${scenario}`)).body;
      const before = await read();
      const inventory = 'site' in before ? 'site' : 'app';
      const type = { site: 'web', app: before.device.devicetype === 3 ? 'ctv' : 'mobile' }[inventory];
      // A source in no pool has no buyer: its request would show nothing.
      const pool = await running.api.post('/api/supply/pools', { name: `Pool of ${scenario}` });
      const own = await running.sandboxApi.post('/api/supply/sources', {
        pool_id: pool.body.id,
        name: `Source of ${scenario}`,
        domain: 'site.example',
        type,
      });
      expect(own.status).to.equal(201);
      expect((await read())[inventory].id, 'nobody buys from it').to.equal(before[inventory].id);
      const highBidder = syntheticDspId(0, running.accountId);
      const joined = await running.sandboxApi.post(`/api/demand/sources/${highBidder}/pools/${pool.body.id}`);
      expect(joined.status).to.equal(200);
      expect((await read())[inventory].id).to.equal(own.body.id);
      await running.sandboxApi.delete(`/api/supply/sources/${own.body.id}`);
    });
  }

  const answers: [string, Script][] = [
    ['a bid', bids({ price: 9, w: 320, h: 50 })],
    ['no bid', noBid()],
    ['what is no JSON', malformedJson('<html>')],
    ['a number', malformedJson('7')],
    ['text', malformedJson('"\\ud800"')],
    ['null', malformedJson('null')],
  ];
  for (const [what, script] of answers) {
    it(`of a test bid that gets ${what} are as described`, async () => {
      const bidder = await startBidder(script);
      const dspId = await demand({ mode: 'rtb', endpoint_url: bidder.url });
      const { outcome } = await post('/api/sandbox/test-bid', { dsp_id: dspId, scenario: 'mobile-uk-sport' });
      expect(outcome).to.equal(what === 'a bid' ? 'win' : what === 'no bid' ? 'no-bid' : 'error');
      await bidder.close();
    });
  }

  it('of a simulation are as described, with a bid and without', async () => {
    const dspId = await demand({ mode: 'delegate' });
    const simulate = (auction: object) => post('/api/sandbox/simulate-auction', { dsp_id: dspId, auction });
    expect((await simulate({})).won).to.equal(false);
    const creatives = [
      { creative_id: 'a', vast_url: vastUrl('a') },
      { creative_id: 'b', html: '<b>b</b>' },
    ];
    const campaign = { campaign_id: 'c', campaign_name: 'C', bidding: { base_cpm: 2 }, creatives };
    const conditions = [{ field: 'content.cat', operator: 'in', value: 'IAB1,IAB2' }];
    const strategy = {
      version: '1.0',
      dsp_id: dspId,
      default_bid: 0,
      campaigns: [{ ...campaign, targeting: { hours: '0-23', countries: ['AE'] } }],
      rules: [{ rule_id: 'r', campaign_id: 'c', conditions }],
    };
    expect((await running.sandboxApi.put(`/api/demand/sources/${dspId}/strategy`, strategy)).status).to.equal(200);
    const geo = { country: 'ARE' };
    expect((await simulate({ device: { geo }, categories: ['IAB1', 'IAB9'] })).won).to.equal(true);
    expect((await simulate({ device: { geo: { country: 'US' } } })).won).to.equal(false);
  });

  it('of a reset count many sources, and come soon', async () => {
    const account = await running.newAccount();
    const made = Array.from({ length: 300 }, (_, index) =>
      account.sandboxApi.post('/api/supply/sources', { name: `Source ${index}`, domain: 'a.example', type: 'web' }),
    );
    for (const { status } of await Promise.all(made)) expect(status).to.equal(201);
    const startedMs = performance.now();
    const { body } = await account.api.post('/api/sandbox/reset');
    expect(body).to.include({ affected_publishers: 300, affected_dsps: 0 });
    expect(performance.now() - startedMs).to.be.lessThan(10_000);
    console.log(`      300 sources were flushed in ${Math.round(performance.now() - startedMs)} ms`);
  });
});
