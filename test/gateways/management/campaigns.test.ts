import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerId } from '#actors/ledger/ledger-id';
import { createManagement } from '#gateways/management/management';
import { loadBiddingCampaigns } from '#gateways/management/resources/campaigns/delegate';
import { campaignExample } from '#gateways/management/resources/campaigns/example';
import { strategyExample } from '#gateways/management/resources/strategy/example';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { vastUrl } from '../../support/shared-creative-origin.ts';
import { errorOf, type ManagementClient, managementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const sources = '/api/demand/sources';
const campaigns = '/api/campaigns';
const creative = { creative_id: 'v', vast_url: vastUrl('v') };

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/campaigns and strategies on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let api: ManagementClient;
    let names = 0;

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
      api = own.api;
    });
    after(() => running?.close());

    const delegate = async (fields: object = {}, client = api): Promise<string> => {
      const answer = await client.post(sources, { name: `Delegate ${++names}`, mode: 'delegate', ...fields });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    const document = (campaignId: string, fields: object = {}) => ({
      campaign_id: campaignId,
      campaign_name: 'C',
      bidding: { base_cpm: 2 },
      creative,
      ...fields,
    });
    const create = async (dspId: string, fields: object = {}, client = api) => {
      const answer = await client.post(campaigns, { dsp_id: dspId, ...document(`c${++names}`), ...fields });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body;
    };
    const strategyOf = (dspId: string, fields: object = {}) => ({
      version: '1.0',
      dsp_id: dspId,
      default_bid: 1,
      campaigns: [document('a')],
      rules: [],
      ...fields,
    });
    const upload = (dspId: string, fields: object = {}, client = api, headers = {}) =>
      client.put(`${sources}/${dspId}/strategy`, strategyOf(dspId, fields), headers);
    const idsOf = async (query: string, client = api): Promise<string[]> =>
      (await client.get(`${campaigns}?per_page=200${query}`)).body.campaigns.map(({ id }: { id: string }) => id);

    describe('where their demand source is', () => {
      it('in the sandbox or live, and with it when it moves', async () => {
        const dspId = await delegate({ sandbox: true });
        const { id } = await create(dspId);
        const sandbox = own.sandboxApi;
        expect(await idsOf('', sandbox)).to.include(id);
        expect(await idsOf('')).not.to.include(id);
        expect(await idsOf('', api.as({ 'X-Sandbox': 'true' }))).to.include(id);
        expect((await sandbox.get(`${campaigns}/${id}`)).status).to.equal(200);

        expect((await api.put(`${sources}/${dspId}`, { sandbox: false })).body.status).to.equal('active');
        expect(await idsOf('', sandbox)).not.to.include(id);
        expect(await idsOf('')).to.include(id);
        for (const [method, path] of [
          ['GET', `${campaigns}/${id}`],
          ['GET', `${campaigns}/${id}/performance`],
          ['PUT', `${campaigns}/${id}`],
          ['POST', `${campaigns}/${id}/pause`],
          ['POST', `${campaigns}/${id}/reactivate`],
          ['GET', `${sources}/${dspId}/strategy`],
          ['PUT', `${sources}/${dspId}/strategy`],
        ] as const) {
          const answer = await sandbox.request(method, path, method === 'GET' ? {} : { body: {} });
          expect(errorOf(answer), `${method} ${path}`).to.equal('404 NOT_FOUND');
        }
        const refused = await sandbox.post(campaigns, { dsp_id: dspId, ...document('x') });
        expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR dsp_id');
      });

      it('at the partner, and at no other', async () => {
        const partner = async () => (await api.post('/api/partners', { name: `P ${++names}` })).body.id as string;
        const [first, second] = [await partner(), await partner()];
        const as = (partnerId: string) => api.as({ 'X-User-Partner-ID': partnerId });
        const dspId = await delegate({}, as(first));
        const { id } = await create(dspId, {}, as(first));
        expect(await idsOf('', as(first))).to.deep.equal([id]);
        expect(await idsOf('', as(second))).to.deep.equal([]);
        expect(await idsOf(`&dsp_id=${dspId}`, as(second))).to.deep.equal([]);
        expect(errorOf(await as(second).get(`${campaigns}/${id}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await upload(dspId, {}, as(second)))).to.equal('404 NOT_FOUND');

        await api.put(`${sources}/${dspId}`, { partner_id: second });
        expect((await as(second).get(`${campaigns}/${id}`)).status).to.equal(200);
        expect(errorOf(await as(first).get(`${campaigns}/${id}`))).to.equal('404 NOT_FOUND');
      });

      it('in its account, and in no other', async () => {
        const { id } = await create(await delegate());
        const other = await running.newAccount();
        expect(errorOf(await other.api.get(`${campaigns}/${id}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await other.api.post(`${campaigns}/${id}/pause`))).to.equal('404 NOT_FOUND');
        expect((await other.api.get(campaigns)).body).to.deep.equal({ campaigns: [], total: 0, page: 1 });
      });

      it('archived with it: they are read, and changed no more', async () => {
        const dspId = await delegate();
        const { id } = await create(dspId);
        await api.delete(`${sources}/${dspId}`);
        expect((await api.get(`${campaigns}/${id}`)).body.id).to.equal(id);
        expect(errorOf(await api.put(`${campaigns}/${id}`, { priority: 1 }))).to.equal('409 CONFLICT');
        expect(errorOf(await api.post(`${campaigns}/${id}/pause`))).to.equal('409 CONFLICT');
        expect(errorOf(await upload(dspId))).to.equal('409 CONFLICT');
      });
    });

    describe('changes', () => {
      it('of one campaign at the same time are both kept', async () => {
        const { id } = await create(await delegate());
        const changes = [
          { bidding: { max_cpm: 9 } },
          { priority: 3 },
          { targeting: { genres: ['drama'] } },
          { status: 'paused' },
        ];
        const answers = await Promise.all(changes.map((change) => api.put(`${campaigns}/${id}`, change)));
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
        expect((await api.get(`${campaigns}/${id}`)).body).to.deep.include({
          bidding: { base_cpm: 2, max_cpm: 9 },
          priority: 3,
          targeting: { genres: ['drama'] },
          status: 'paused',
        });
      });

      it('of one campaign are made at the revision that is expected', async () => {
        const dspId = await delegate();
        const created = await api.post(campaigns, { dsp_id: dspId, ...document('revised') });
        expect(created.headers.get('etag')).to.equal('"1"');
        const path = `${campaigns}/${created.body.id}`;
        const changed = await api.put(path, { priority: 1 }, { 'If-Match': '"1"' });
        expect([changed.status, changed.headers.get('etag')]).to.deep.equal([200, '"2"']);
        for (const answer of [
          await api.put(path, { priority: 2 }, { 'If-Match': '"1"' }),
          await api.post(`${path}/pause`, undefined, { 'If-Match': '"1"' }),
        ]) {
          expect(errorOf(answer)).to.equal('412 PRECONDITION_FAILED');
        }
        expect((await api.get(path)).headers.get('etag')).to.equal('"2"');
      });

      it('of a strategy are made at the revision that is expected', async () => {
        const dspId = await delegate();
        expect((await upload(dspId)).headers.get('etag')).to.equal('"1"');
        expect((await upload(dspId)).headers.get('etag'), 'the same again').to.equal('"1"');
        const second = await upload(dspId, { default_bid: 2 }, api, { 'If-Match': '"1"' });
        expect(second.headers.get('etag')).to.equal('"2"');
        const late = await upload(dspId, { default_bid: 3 }, api, { 'If-Match': '"1"' });
        expect(errorOf(late)).to.equal('412 PRECONDITION_FAILED');
        const read = await api.get(`${sources}/${dspId}/strategy`);
        expect([read.body.default_bid, read.headers.get('etag')]).to.deep.equal([2, '"2"']);
      });

      it('made twice under one Idempotency-Key are made once', async () => {
        const dspId = await delegate();
        const body = { dsp_id: dspId, ...document('once'), campaign_id: undefined };
        const headers = { 'Idempotency-Key': `key-${dspId}` };
        const [first, second] = [await api.post(campaigns, body, headers), await api.post(campaigns, body, headers)];
        expect([first.status, second.status]).to.deep.equal([201, 201]);
        expect(second.body).to.deep.equal(first.body);
        expect(await idsOf(`&dsp_id=${dspId}`)).to.deep.equal([first.body.id]);
      });

      it('take back what was read', async () => {
        const created = await create(await delegate());
        const { id, origin, creative_warnings, created_at, updated_at, ...rest } = created;
        const answer = await api.put(`${campaigns}/${id}`, rest);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        const { updated_at: _, ...after } = answer.body;
        expect(after).to.deep.equal({ ...rest, id, origin, creative_warnings, created_at });
        expect(updated_at).to.be.a('string');
      });

      it('take back a pause that was a budget’s, and clear its cause', async () => {
        const { id } = await create(await delegate());
        const read = { status: 'paused', paused_by: 'daily_budget' };
        const answer = await api.put(`${campaigns}/${id}`, read);
        expect(answer.body).to.include({ status: 'active', paused_by: null });
        const byHand = await api.put(`${campaigns}/${id}`, { status: 'paused', paused_by: null });
        expect(byHand.body).to.include({ status: 'paused', paused_by: 'hand' });
      });
    });

    describe('a strategy and a campaign of the Campaign API with one campaign_id', () => {
      const raced = 12;

      it('that come at the same moment are not both taken: one wins, and the other is refused as if it came later', async () => {
        const outcomes = new Set<string>();
        for (let round = 0; round < raced; round++) {
          const dspId = await delegate();
          const before = await upload(dspId, { campaigns: [document('old')] });
          expect(before.status).to.equal(200);
          const uploads = [document('other'), document('same')];
          const both = [
            upload(dspId, { campaigns: uploads }),
            api.post(campaigns, { dsp_id: dspId, ...document('same') }),
          ] as const;
          const [uploaded, created] = await Promise.all(both);
          const { body: kept } = await api.get(`${sources}/${dspId}/strategy`);
          const bidding = (await loadBiddingCampaigns(running.parts, dspId)).map(
            ({ campaign: { campaign_id } }) => campaign_id,
          );
          if (uploaded.status === 200) {
            expect(errorOf(created)).to.equal('409 CONFLICT');
            expect(bidding).to.have.members(['other', 'same']);
            outcomes.add('strategy');
          } else {
            expect(created.status).to.equal(201);
            expect(errorOf(uploaded)).to.equal('422 STRATEGY_INVALID campaigns[1].campaign_id');
            expect(kept.campaigns.map(({ campaign_id }: { campaign_id: string }) => campaign_id)).to.deep.equal([
              'old',
            ]);
            await eventually('the strategy before to bid alone', async () => {
              const own = await loadBiddingCampaigns(running.parts, dspId);
              return (
                own
                  .map(({ campaign: { campaign_id } }) => campaign_id)
                  .sort()
                  .join() === 'old,same'
              );
            });
            outcomes.add('campaign');
          }
        }
        expect(outcomes).not.to.be.empty;
      });
    });

    describe('what a delegate bids with', () => {
      it('belongs only to its strategy and the Campaign API, once it is uploaded', async () => {
        const [dspId, other] = [await delegate(), await delegate()];
        await create(other);
        const made = await create(dspId, { campaign_id: 'own', status: 'paused' });
        const rule = { rule_id: 'r', campaign_id: 'b', conditions: [] };
        await upload(dspId, { campaigns: [document('a'), document('b')], rules: [rule], default_bid: 3 });
        await upload(dspId, { campaigns: [document('b')], rules: [rule], default_bid: 3 });
        const bidding = await loadBiddingCampaigns(running.parts, dspId);
        expect(
          bidding.map(({ campaign, rules, defaultBidCpm, paused }) => [
            campaign.campaign_id,
            rules,
            defaultBidCpm,
            paused,
          ]),
        ).to.have.deep.members([
          ['own', [], 0, true],
          ['b', [rule], 3, false],
        ]);
        expect(bidding.map(({ id }) => id)).to.include(made.id);
      });

      it('stays as many campaigns as a strategy has, and tells every one', async () => {
        const dspId = await delegate();
        const many = Array.from({ length: 300 }, (_, index) => document(`c${index}`));
        expect((await upload(dspId, { campaigns: many })).status).to.equal(200);
        await eventually('every campaign is installed', async () =>
          expect((await api.get(`${campaigns}?dsp_id=${dspId}&status=active`)).body.total).to.equal(300),
        );
        expect((await upload(dspId, { campaigns: many.slice(1) })).status).to.equal(200);
        await eventually('one campaign is retired', async () =>
          expect((await api.get(`${campaigns}?dsp_id=${dspId}&status=retired`)).body.total).to.equal(1),
        );
      });
    });

    it('a body of more than 3 MiB is refused, one of less is read', async () => {
      const dspId = await delegate();
      const html = 'x'.repeat(250_000);
      const heavy = (count: number) =>
        Array.from({ length: count }, (_, index) => document(`c${index}`, { creative: { creative_id: 'h', html } }));
      expect((await upload(dspId, { campaigns: heavy(12) })).status).to.equal(200);
      expect(errorOf(await upload(dspId, { campaigns: heavy(13) }))).to.equal('413 PAYLOAD_TOO_LARGE');
    });

    it('a document of another Content-Type is refused', async () => {
      const dspId = await delegate();
      const answer = await api.request('PUT', `${sources}/${dspId}/strategy`, {
        raw: JSON.stringify(strategyOf(dspId)),
        headers: { 'Content-Type': 'text/plain' },
      });
      expect(errorOf(answer)).to.equal('415 UNSUPPORTED_MEDIA_TYPE');
    });

    it('http is refused where https is demanded', async () => {
      const dspId = await delegate();
      const { parts } = running;
      const strict = createManagement({ ...parts, settings: { ...parts.settings, httpsCreativesOnly: true } });
      const strictApi = managementClient(`http://127.0.0.1:${await strict.listen(0, '127.0.0.1')}`, {
        'X-API-Key': own.liveKey,
      });
      try {
        const http = { creative };
        const { id } = await create(dspId, http);
        const posted = await strictApi.post(campaigns, { dsp_id: dspId, ...document('h', http) });
        expect(errorOf(posted)).to.equal('400 VALIDATION_ERROR creative.vast_url');
        expect(errorOf(await strictApi.put(`${campaigns}/${id}`, http))).to.equal(
          '400 VALIDATION_ERROR creative.vast_url',
        );
        const uploaded = await upload(dspId, { campaigns: [document('h', http)] }, strictApi);
        expect(errorOf(uploaded)).to.equal('422 STRATEGY_INVALID campaigns[0].creative.vast_url');
        const markup = { creative: { creative_id: 'v', html: '<b>An ad</b>' } };
        expect((await strictApi.put(`${campaigns}/${id}`, markup)).status).to.equal(200);
      } finally {
        await strict.close();
      }
    });

    it('every fault of a campaign is named, beside the first', async () => {
      const { id } = await create(await delegate());
      const answer = await api.put(`${campaigns}/${id}`, {
        bidding: { max_cpm: 1 },
        targeting: { countries: ['Q', 'ZZ'] },
      });
      expect(errorOf(answer)).to.equal('400 VALIDATION_ERROR targeting.countries[0]');
      expect(answer.body.error.errors.map(({ field }: { field: string }) => field)).to.deep.equal([
        'targeting.countries[0]',
        'targeting.countries[1]',
        'bidding.max_cpm',
      ]);
    });

    describe('performance', () => {
      it('is zero before anything was bid', async () => {
        const dspId = await delegate();
        const { id, campaign_id } = await create(dspId);
        const answer = await api.get(`${campaigns}/${id}/performance?period=7d`);
        expect(answer.body).to.deep.equal({
          id,
          campaign_id,
          dsp_id: dspId,
          period: '7d',
          impressions: 0,
          spend_cents: 0,
          ecpm_cents: 0,
          bids: 0,
          wins: 0,
          win_rate: 0,
          budget: {
            daily_cents: 0,
            spent_today_cents: 0,
            reserved_today_cents: 0,
            remaining_today_cents: null,
            total_cents: 0,
            remaining_total_cents: null,
          },
          creatives: [],
        });
        expect(errorOf(await api.get(`${campaigns}/${id}/performance?period=1y`))).to.equal(
          '400 INVALID_PARAMS period',
        );
        expect(errorOf(await api.get(`${campaigns}/${absentId}/performance`))).to.equal('404 NOT_FOUND');
      });

      it('is what the ledgers of the campaign say', async () => {
        const { id } = await create(await delegate());
        const nowMs = Date.now();
        const sum = { impressions: 4, grossNanos: 4 * 2_500_000, feeNanos: 0 };
        await running.parts.messenger.tell(ledger, hourLedgerId('campaign', id, nowMs, false), 'totals', {
          partition: 0,
          minuteMs: Math.floor(nowMs / 60_000) * 60_000,
          version: '1-1',
          regions: [{ region: 'fra', ...sum, counterparties: [], creatives: [{ id: 'v', ...sum }] }],
        });
        await eventually('the ledger is saved', async () => {
          const { body } = await api.get(`${campaigns}/${id}/performance`);
          expect(body).to.include({ impressions: 4, spend_cents: 1, ecpm_cents: 250 });
          expect(body.creatives).to.deep.equal([
            { creative_id: 'v', bids: 0, wins: 0, win_rate: 0, impressions: 4, ecpm_cents: 250 },
          ]);
          return true;
        });
        expect((await api.get(`${campaigns}/${id}/performance?region=nyc`)).body.impressions).to.equal(0);
      });
    });

    describe('what is published', () => {
      it('is a public JSON Schema, which the examples satisfy', async () => {
        const answer = await running.anonymous.get('/api/schemas/strategy.json');
        expect(answer.status).to.equal(200);
        expect(answer.body).to.include({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' });
        const schema = Compile(answer.body);
        expect(schema.Check(strategyExample)).to.equal(true);
        expect(schema.Check({ ...strategyExample, rules: [{}] })).to.equal(false);
      });

      it('are examples that the API takes', async () => {
        const dspId = await delegate();
        const campaign = await api.post(campaigns, { ...campaignExample, dsp_id: dspId });
        expect(campaign.status, JSON.stringify(campaign.body)).to.equal(201);
        const strategy = await upload(dspId, strategyExample);
        expect(errorOf(strategy)).to.equal('422 STRATEGY_INVALID dsp_id');
        expect((await upload(dspId, { ...strategyExample, dsp_id: dspId })).status).to.equal(200);
      });
    });
  });
