import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Answer } from '../support/exchange.ts';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { imageUrl, vastUrl } from '../support/shared-creative-origin.ts';
import { ABSENT_ID, againstExchange, errorOf, TIMESTAMP, UUID } from './against-exchange.ts';
import { shows } from './shows.ts';

const path = '/api/campaigns';
const vast = (creativeId: string, fields: object = {}) => ({
  creative_id: creativeId,
  vast_url: vastUrl(creativeId),
  ...fields,
});

againstExchange(
  'campaigns',
  (exchange) => {
    let dspId: string;
    before(async () => {
      dspId = (await exchange.create('/api/demand/sources', { mode: 'delegate' })).id;
    });
    const document = (fields: object = {}) => ({
      dsp_id: dspId,
      campaign_id: `c-${randomUUID()}`,
      campaign_name: 'Spring',
      bidding: { base_cpm: 4 },
      creative: vast('v1'),
      ...fields,
    });
    const post = (fields: object = {}) => exchange.call('POST', path, document(fields));
    const create = async (fields: object = {}): Promise<Answer['body']> => {
      const answer = await post(fields);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body;
    };
    const refused = async (fields: object) => errorOf(await post(fields));
    const update = (id: string, changes: object) => exchange.call('PUT', `${path}/${id}`, changes);
    const read = async (id: string) => (await exchange.get(`${path}/${id}`)).body;

    describe('fields', () => {
      const targeting = { countries: ['AE', 'GBR'], devices: ['ctv', '4'] };
      const bidding = { base_cpm: 2.5, max_cpm: 7.25 };
      const budget = { daily_cents: 5000, total_cents: 90_000 };
      const creatives = [
        vast('a', { impression_trackers: ['https://t.example/1'], weight: 3 }),
        vast('b', { weight: 0.5 }),
      ];
      const whole = { targeting, bidding, budget, creative: undefined, creatives, rotation_strategy: 'random' };

      const kept: Readonly<Record<string, (campaign: Answer['body'], sent: Answer['body']) => void>> = {
        campaign_id: (campaign, sent) => expect(campaign.campaign_id).to.equal(sent.campaign_id),
        campaign_name: (campaign) => expect(campaign.campaign_name).to.equal('Spring'),
        'targeting.countries': (campaign) => expect(campaign.targeting.countries).to.deep.equal(targeting.countries),
        'targeting.devices': (campaign) => expect(campaign.targeting.devices).to.deep.equal(targeting.devices),
        'bidding.base_cpm': (campaign) => expect(campaign.bidding.base_cpm).to.equal(2.5),
        'bidding.max_cpm': (campaign) => expect(campaign.bidding.max_cpm).to.equal(7.25),
        'budget.daily_cents': (campaign) => expect(campaign.budget.daily_cents).to.equal(5000),
        'budget.total_cents': (campaign) => expect(campaign.budget.total_cents).to.equal(90_000),
        creatives: (campaign) => expect(campaign.creatives).to.deep.equal(creatives),
      };
      /** A value of the wrong type or range for each field, and where the error says it is. */
      const wrong: Readonly<Record<string, readonly [object, string]>> = {
        campaign_id: [{ campaign_id: 7 }, 'campaign_id'],
        campaign_name: [{ campaign_name: '' }, 'campaign_name'],
        'targeting.countries': [{ targeting: { countries: ['AE', 'QQ'] } }, 'targeting.countries[1]'],
        'targeting.devices': [{ targeting: { devices: ['fridge'] } }, 'targeting.devices[0]'],
        'bidding.base_cpm': [{ bidding: { base_cpm: -1 } }, 'bidding.base_cpm'],
        'bidding.max_cpm': [{ bidding: { base_cpm: 3, max_cpm: 2 } }, 'bidding.max_cpm'],
        'budget.daily_cents': [{ budget: { daily_cents: 0.5 } }, 'budget.daily_cents'],
        'budget.total_cents': [{ budget: { total_cents: '1' } }, 'budget.total_cents'],
        creatives: [{ creative: undefined, creatives: vast('a') }, 'creatives'],
      };
      for (const [field, holds] of Object.entries(kept)) {
        shows(`campaign.field.${field}`, async () => {
          const sent = document(whole);
          const created = await create(sent);
          holds(created, sent);
          holds(await read(created.id), sent);
          const [fields, at] = wrong[field]!;
          expect(await refused(fields)).to.equal(`400 VALIDATION_ERROR ${at}`);
        });
      }
      shows('campaign.field.creative', async () => {
        const creative = vast('only');
        expect((await read((await create({ creative })).id)).creative).to.deep.equal(creative);
        expect(await refused({ creative: [creative] })).to.equal('400 VALIDATION_ERROR creative');
      });
      shows('campaign.field.rotation_strategy', async () => {
        expect((await create()).rotation_strategy).to.equal('weighted');
        for (const rotation of ['weighted', 'round_robin', 'random']) {
          expect((await create({ rotation_strategy: rotation })).rotation_strategy).to.equal(rotation);
        }
        expect(await refused({ rotation_strategy: 'best' })).to.equal('400 VALIDATION_ERROR rotation_strategy');
      });
      shows(['campaign.field.creative_warnings', 'error.warning.non_standard_size'], async () => {
        const banner = (creativeId: string, width: number, height: number) => ({
          creative_id: creativeId,
          image_url: imageUrl('b'),
          width,
          height,
        });
        const { id, creative_warnings } = await create({
          creative: undefined,
          creatives: [banner('odd', 301, 250), banner('fine', 300, 250)],
        });
        expect(creative_warnings).to.deep.equal([{ creative_id: 'odd', warning: 'non_standard_size:301x250' }]);
        expect((await read(id)).creative_warnings).to.deep.equal(creative_warnings);
        const markup = { creative_id: 'm', html: '<b>An ad</b>', width: 300, height: 250 };
        expect((await create({ creative: markup })).creative_warnings).to.deep.equal([]);
      });
      shows('campaign.field.id', async () => {
        const created = await create();
        expect(created.id).to.match(UUID);
        expect(created).to.include({ status: 'active', dsp_id: dspId });
        expect(created.created_at).to.match(TIMESTAMP);
      });
      shows('campaign.creative.creative_id', async () => {
        const [first, second] = [vast('a'), vast('a')];
        const created = await create({ creative: first });
        expect(created.creative.creative_id).to.equal('a');
        expect(await refused({ creative: { ...first, creative_id: 7 } })).to.equal(
          '400 VALIDATION_ERROR creative.creative_id',
        );
        expect(await refused({ creative: { ...first, creative_id: undefined } })).to.equal(
          '400 INVALID_PARAMS creative.creative_id',
        );
        expect(await refused({ creative: undefined, creatives: [first, second] })).to.equal(
          '400 VALIDATION_ERROR creatives[1].creative_id',
        );
      });
      shows('campaign.creative.vast_url', async () => {
        expect((await create()).creative.vast_url).to.equal(vastUrl('v1'));
        for (const url of ['ads.example/v.xml', 'ftp://ads.example/v.xml', 'https://']) {
          expect(await refused({ creative: vast('v', { vast_url: url }) }), url).to.equal(
            '400 VALIDATION_ERROR creative.vast_url',
          );
        }
      });
      shows('campaign.creative.impression_trackers', async () => {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the macro as OpenRTB writes it
        const trackers = ['https://t.example/i?price=${AUCTION_PRICE}', 'https://u.example/'];
        const created = await create({ creative: vast('v', { impression_trackers: trackers }) });
        expect(created.creative.impression_trackers).to.deep.equal(trackers);
        expect(await refused({ creative: vast('v', { impression_trackers: [trackers[0], 'none'] }) })).to.equal(
          '400 VALIDATION_ERROR creative.impression_trackers[1]',
        );
      });
      shows('campaign.creative.weight', async () => {
        const created = await create({ creative: undefined, creatives: [vast('a', { weight: 2.5 }), vast('b')] });
        expect(created.creatives[0].weight).to.equal(2.5);
        expect(await refused({ creative: vast('v', { weight: -1 }) })).to.equal('400 VALIDATION_ERROR creative.weight');
      });
      shows('campaign.creative-both', async () => {
        expect(await refused({ creatives: [vast('b')] })).to.equal('400 VALIDATION_ERROR creatives');
      });
      shows('campaign.creative-neither', async () => {
        expect(await refused({ creative: undefined })).to.equal('400 INVALID_PARAMS creative');
      });
    });

    describe('resource', () => {
      shows('campaign.list', async () => {
        const own = await exchange.create('/api/demand/sources', { mode: 'delegate' });
        const made: string[] = [];
        for (let number = 0; number < 5; number++) made.push((await create({ dsp_id: own.id })).id);
        await exchange.call('POST', `${path}/${made[1]}/pause`);
        const list = async (query: string) => (await exchange.get(`${path}?dsp_id=${own.id}${query}`)).body;
        const first = await list('&per_page=3');
        expect(first).to.include({ total: 5, page: 1 });
        const second = await list('&per_page=3&page=2');
        expect(second).to.include({ total: 5, page: 2 });
        const ids = [...first.campaigns, ...second.campaigns].map(({ id }) => id);
        expect(ids).to.have.members(made).and.to.have.length(5);
        const paused = await list('&status=paused');
        expect(paused.campaigns.map(({ id }: { id: string }) => id)).to.deep.equal([made[1]]);
        const everywhere = (await exchange.get(`${path}?per_page=200`)).body;
        expect(everywhere.campaigns.map(({ id }: { id: string }) => id)).to.include.members(made);
        expect((await exchange.get(`${path}?dsp_id=${ABSENT_ID}`)).body).to.deep.equal({
          campaigns: [],
          total: 0,
          page: 1,
        });
        for (const [query, field] of [
          ['per_page=201', 'per_page'],
          ['status=archived', 'status'],
          ['dsp_id=none', 'dsp_id'],
        ]) {
          expect(errorOf(await exchange.get(`${path}?${query}`))).to.equal(`400 INVALID_PARAMS ${field}`);
        }
      });
      shows('campaign.create', async () => {
        expect(await refused({ dsp_id: undefined })).to.equal('400 INVALID_PARAMS dsp_id');
        expect(await refused({ dsp_id: ABSENT_ID })).to.equal('400 VALIDATION_ERROR dsp_id');
        expect(await refused({ bidding: undefined })).to.equal('400 INVALID_PARAMS bidding.base_cpm');
        const { campaign_id } = await create();
        expect(await refused({ campaign_id })).to.equal('409 CONFLICT');
        expect((await create({ campaign_id: undefined })).campaign_id).to.match(UUID);

        const other = await exchange.create('/api/demand/sources', { mode: 'delegate' });
        expect((await create({ dsp_id: other.id, campaign_id })).campaign_id).to.equal(campaign_id);
        const rtb = { mode: 'rtb', endpoint_url: 'https://b.example/' };
        const bidder = await exchange.create('/api/demand/sources', rtb);
        expect(await refused({ dsp_id: bidder.id })).to.equal('400 VALIDATION_ERROR dsp_id');
        await exchange.call('DELETE', `/api/demand/sources/${other.id}`);
        expect(await refused({ dsp_id: other.id })).to.equal('409 CONFLICT');
      });
      shows('campaign.read', async () => {
        const created = await create();
        const answer = await exchange.get(`${path}/${created.id}`);
        expect(answer.status).to.equal(200);
        expect(answer.body).to.deep.equal(created);
        for (const id of [ABSENT_ID, 'none']) {
          expect(errorOf(await exchange.get(`${path}/${id}`)), id).to.equal('404 NOT_FOUND');
        }
      });
      shows('campaign.update', async () => {
        const created = await create({ targeting: { countries: ['AE'], genres: ['drama'] } });
        const answer = await update(created.id, { bidding: { max_cpm: 9 }, targeting: { genres: null } });
        expect(answer.status).to.equal(200);
        const { updated_at: _, ...rest } = answer.body;
        const { updated_at: __, ...before } = created;
        const bidding = { base_cpm: 4, max_cpm: 9 };
        expect(rest).to.deep.equal({ ...before, bidding, targeting: { countries: ['AE'] } });
        expect(await read(created.id)).to.deep.equal(answer.body);

        const several = await update(created.id, { creatives: [vast('a'), vast('b')] });
        expect(several.body).to.have.property('creatives').with.length(2);
        expect(several.body).not.to.have.property('creative');
        const both = await update(created.id, { creatives: [vast('a')], creative: vast('b') });
        expect(errorOf(both)).to.equal('400 VALIDATION_ERROR creatives');
        expect(errorOf(await update(created.id, { creatives: null }))).to.equal('400 VALIDATION_ERROR creative');
        expect(errorOf(await update(created.id, { bidding: { base_cpm: 10 } }))).to.equal(
          '400 VALIDATION_ERROR bidding.max_cpm',
        );
        expect(errorOf(await update(created.id, { campaign_id: 'other' }))).to.equal(
          '400 VALIDATION_ERROR campaign_id',
        );
        expect(await read(created.id)).to.deep.equal(several.body);
      });
      shows('campaign.pause', async () => {
        const { id } = await create();
        for (const time of ['once', 'twice']) {
          const answer = await exchange.call('POST', `${path}/${id}/pause`);
          expect([answer.status, answer.body.status], time).to.deep.equal([200, 'paused']);
        }
        expect((await read(id)).status).to.equal('paused');
        expect(errorOf(await exchange.call('POST', `${path}/${ABSENT_ID}/pause`))).to.equal('404 NOT_FOUND');
      });
      shows('campaign.reactivate', async () => {
        const { id } = await create({ status: 'paused' });
        expect((await read(id)).status).to.equal('paused');
        for (const time of ['once', 'twice']) {
          const answer = await exchange.call('POST', `${path}/${id}/reactivate`);
          expect([answer.status, answer.body.status], time).to.deep.equal([200, 'active']);
        }
        expect((await update(id, { status: 'paused' })).body.status).to.equal('paused');
      });
      shows(['campaign.v1', 'version.campaign'], async () => {
        const created = await create({ version: '1.0' });
        expect(created).to.include({ version: '1.0', rotation_strategy: 'weighted' });
        expect(created.creative).to.deep.equal(vast('v1'));
        expect(await refused({ version: '1.0', creative: undefined, creatives: [vast('a')] })).to.equal(
          '400 VALIDATION_ERROR creatives',
        );
        const second = await create({ version: '2.0', creative: undefined, creatives: [vast('a'), vast('b')] });
        expect(second.version).to.equal('2.0');
        expect((await update(created.id, { creatives: [vast('a')] })).body.version).to.equal('2.0');
      });
    });
  },
  { pairs: PROVIDER_PAIRS },
);
