import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { vastUrl } from '../support/shared-creative-origin.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import { shows } from './shows.ts';

const sources = '/api/demand/sources';
const campaign = (campaignId: string, fields: object = {}) => ({
  campaign_id: campaignId,
  campaign_name: `Campaign ${campaignId}`,
  bidding: { base_cpm: 3 },
  creative: { creative_id: 'v1', vast_url: vastUrl('v1') },
  ...fields,
});
const rule = (campaignId: string, conditions: readonly object[], fields: object = {}) => ({
  rule_id: `r-${randomUUID()}`,
  campaign_id: campaignId,
  conditions,
  ...fields,
});
const onCtv = { field: 'device.devicetype', operator: 'eq', value: '3' };

againstExchange(
  'delegate strategies',
  (exchange) => {
    const delegate = async (): Promise<string> => (await exchange.create(sources, { mode: 'delegate' })).id;
    const strategyOf = (dspId: string, fields: object = {}) => ({
      version: '1.0',
      dsp_id: dspId,
      default_bid: 1,
      campaigns: [campaign('a')],
      rules: [rule('a', [onCtv])],
      ...fields,
    });
    const upload = (dspId: string, strategy: unknown) => exchange.call('PUT', `${sources}/${dspId}/strategy`, strategy);
    const refused = async (fields: object) => {
      const dspId = await delegate();
      return errorOf(await upload(dspId, strategyOf(dspId, fields)));
    };
    const campaignsOf = async (dspId: string): Promise<Record<string, string>[]> =>
      (await exchange.get(`/api/campaigns?dsp_id=${dspId}&per_page=200`)).body.campaigns;
    const statuses = async (dspId: string) =>
      Object.fromEntries((await campaignsOf(dspId)).map(({ campaign_id, status }) => [campaign_id, status]));

    shows('demand.strategy.200', async () => {
      const dspId = await delegate();
      expect(errorOf(await exchange.get(`${sources}/${dspId}/strategy`))).to.equal('404 NOT_FOUND');
      const strategy = strategyOf(dspId);
      const answer = await upload(dspId, strategy);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      expect(answer.body).to.deep.equal(strategy);
      expect((await exchange.get(`${sources}/${dspId}/strategy`)).body).to.deep.equal(strategy);
      const [installed] = await campaignsOf(dspId);
      expect(installed).to.deep.include({ ...campaign('a'), origin: 'strategy', status: 'active', dsp_id: dspId });
    });

    shows(['demand.strategy.422', 'error.422.STRATEGY_INVALID'], async () => {
      const dspId = await delegate();
      const answer = await upload(dspId, {
        ...strategyOf(dspId),
        default_bid: '1',
        campaigns: [campaign('a', { bidding: { base_cpm: 5, max_cpm: 4 } }), campaign('b', { creative: undefined })],
        rules: [rule('a', [onCtv, { ...onCtv, value: 3 }]), rule('none', [{ ...onCtv, operator: 'like' }])],
        extra: true,
      });
      expect(errorOf(answer)).to.equal('422 STRATEGY_INVALID default_bid');
      expect(answer.body.error.errors.map(({ field }: { field: string }) => field)).to.deep.equal([
        'default_bid',
        'campaigns[0].bidding.max_cpm',
        'campaigns[1].creative',
        'rules[0].conditions[1].value',
        'rules[1].conditions[0].operator',
        'rules[1].campaign_id',
        'extra',
      ]);
      for (const { message } of answer.body.error.errors) expect(message).to.be.a('string').that.is.not.empty;
      expect(errorOf(await exchange.get(`${sources}/${dspId}/strategy`))).to.equal('404 NOT_FOUND');
      expect(await campaignsOf(dspId)).to.deep.equal([]);
      expect(errorOf(await upload(dspId, '{"version":'))).to.equal('400 INVALID_JSON');
      expect(errorOf(await upload(dspId, '[]'))).to.equal('422 STRATEGY_INVALID');
    });

    shows(['demand.strategy.dsp-id', 'strategy.field.dsp_id'], async () => {
      const [dspId, other] = [await delegate(), await delegate()];
      expect(errorOf(await upload(dspId, strategyOf(other)))).to.equal('422 STRATEGY_INVALID dsp_id');
      expect(errorOf(await upload(dspId, strategyOf('none')))).to.equal('422 STRATEGY_INVALID dsp_id');
      expect(errorOf(await upload(ABSENT_ID, strategyOf(ABSENT_ID)))).to.equal('404 NOT_FOUND');
    });

    shows('demand.strategy.rtb', async () => {
      const { id } = await exchange.create(sources, { mode: 'rtb', endpoint_url: 'https://b.example/' });
      const answer = await upload(id, strategyOf(id));
      expect([answer.status, answer.body.error.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
    });

    const wrong: Readonly<Record<string, unknown>> = { version: 1, campaigns: {}, rules: 'none', default_bid: -1 };
    for (const [field, value] of Object.entries(wrong)) {
      shows(`strategy.field.${field}`, async () => {
        const dspId = await delegate();
        const strategy = strategyOf(dspId);
        expect((await upload(dspId, strategy)).body).to.have.deep.property(field, (strategy as never)[field]);
        expect(await refused({ [field]: value })).to.equal(`422 STRATEGY_INVALID ${field}`);
        expect(await refused({ [field]: undefined })).to.equal(`422 STRATEGY_INVALID ${field}`);
      });
    }
    shows('version.strategy', async () => {
      const dspId = await delegate();
      expect((await upload(dspId, strategyOf(dspId))).body.version).to.equal('1.0');
      expect(await refused({ version: '9.0' })).to.equal('422 STRATEGY_INVALID version');
    });

    shows(['campaign.creative-both', 'campaign.creative-neither'], async () => {
      const creatives = [{ creative_id: 'v2', vast_url: vastUrl('v2') }];
      const both = [campaign('a', { creatives })];
      expect(await refused({ campaigns: both })).to.equal('422 STRATEGY_INVALID campaigns[0].creatives');
      const neither = [campaign('a', { creative: undefined })];
      expect(await refused({ campaigns: neither })).to.equal('422 STRATEGY_INVALID campaigns[0].creative');
    });

    shows('strategy.value-string', async () => {
      for (const value of [3, true, null, ['3']]) {
        const rules = [rule('a', [onCtv]), rule('a', [onCtv, { ...onCtv, value }])];
        expect(await refused({ rules })).to.equal('422 STRATEGY_INVALID rules[1].conditions[1].value');
      }
    });

    shows('strategy.replaces', async () => {
      const dspId = await delegate();
      const own = await exchange.call('POST', '/api/campaigns', { dsp_id: dspId, ...campaign('own') });
      expect(own.status).to.equal(201);
      await upload(dspId, strategyOf(dspId, { campaigns: [campaign('a'), campaign('b')] }));
      expect(await statuses(dspId)).to.deep.equal({ own: 'active', a: 'active', b: 'active' });
      const paused = (await campaignsOf(dspId)).find(({ campaign_id }) => campaign_id === 'b')!;
      expect((await exchange.call('POST', `/api/campaigns/${paused.id}/pause`)).status).to.equal(200);

      const changed = campaign('b', { campaign_name: 'Another' });
      await upload(dspId, strategyOf(dspId, { campaigns: [changed, campaign('c')], rules: [] }));
      expect(await statuses(dspId)).to.deep.equal({ own: 'active', a: 'retired', b: 'paused', c: 'active' });
      expect((await exchange.get(`/api/campaigns/${paused.id}`)).body.campaign_name).to.equal('Another');
      expect(errorOf(await exchange.call('PUT', `/api/campaigns/${paused.id}`, { priority: 1 }))).to.equal(
        '409 CONFLICT',
      );
    });

    shows('strategy.same-campaign', async () => {
      const dspId = await delegate();
      await exchange.call('POST', '/api/campaigns', { dsp_id: dspId, ...campaign('own') });
      const both = strategyOf(dspId, { campaigns: [campaign('a'), campaign('own')] });
      expect(errorOf(await upload(dspId, both))).to.equal('422 STRATEGY_INVALID campaigns[1].campaign_id');
      await upload(dspId, strategyOf(dspId));
      const again = await exchange.call('POST', '/api/campaigns', { dsp_id: dspId, ...campaign('a') });
      expect(errorOf(again)).to.equal('409 CONFLICT');
    });
  },
  { pairs: PROVIDER_PAIRS },
);
