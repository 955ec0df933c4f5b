import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { createManagement } from '#gateways/management/management';
import { loadBiddingCampaigns } from '#gateways/management/resources/campaigns/delegate';
import { campaignExample } from '#gateways/management/resources/campaigns/example';
import { strategyExample } from '#gateways/management/resources/strategy/example';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { campaigns, creative, delegateCampaigns, sources } from './delegate-campaigns.ts';
import { errorOf, type ManagementClient, managementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

for (const pair of PROVIDER_PAIRS)
  describe(`documents of campaigns and strategies on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let api: ManagementClient;

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
      api = own.api;
    });
    after(() => running?.close());
    const { delegate, document, create, strategyOf, upload } = delegateCampaigns(() => api);

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
