import { expect } from 'chai';
import { imageUrl, vastUrl } from '../support/shared-creative-origin.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import { shows } from './shows.ts';

const path = '/api/sandbox/simulate-auction';
const inSandbox = { 'X-Sandbox': 'true' };

againstExchange('simulated auctions', (exchange) => {
  const create = (kind: string, fields: object) => exchange.create(kind, { sandbox: true, ...fields });
  const demand = async (fields: object = {}): Promise<string> =>
    (await create('/api/demand/sources', { mode: 'delegate', ...fields })).id;
  const supply = async (fields: object = {}): Promise<string> =>
    (await create('/api/supply/sources', { domain: 'site.example', type: 'web', ...fields })).id;
  const simulate = (dsp_id: string, auction?: object) => exchange.call('POST', path, { dsp_id, auction });
  const simulated = async (dspId: string, auction?: object) => {
    const answer = await simulate(dspId, auction);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  };

  const drama = {
    campaign_id: 'drama',
    campaign_name: 'Drama on the big screen',
    bidding: { base_cpm: 4, max_cpm: 9 },
    creative: { creative_id: 'spot', vast_url: vastUrl('spot') },
  };
  /** A delegate with one campaign whose one rule has these conditions. */
  const delegate = async (conditions: readonly object[], fields: { rule?: object; campaign?: object } = {}) => {
    const dspId = await demand();
    const strategy = {
      version: '1.0',
      dsp_id: dspId,
      default_bid: 1,
      campaigns: [{ ...drama, ...fields.campaign }],
      rules: [{ rule_id: 'the-rule', campaign_id: 'drama', conditions, ...fields.rule }],
    };
    const saved = await exchange.call('PUT', `/api/demand/sources/${dspId}/strategy`, strategy, inSandbox);
    expect(saved.status, JSON.stringify(saved.body)).to.equal(200);
    return dspId;
  };
  const is = (field: string, value: string) => [{ field, operator: 'eq', value }];
  /** A field of the auction that one condition is about: it matches with it, not without it and not with another. */
  const decides = async (field: string, value: string, right: object, wrong: object) => {
    const dspId = await delegate(is(field, value));
    expect((await simulated(dspId, right)).matched_rule).to.equal('the-rule');
    for (const auction of [wrong, {}, undefined]) expect((await simulated(dspId, auction)).matched_rule).to.equal(null);
  };
  /** Each of these is refused, naming the field. */
  const refuses = async (field: string, auctions: readonly object[]) => {
    const dspId = await demand();
    for (const auction of auctions) {
      expect(errorOf(await simulate(dspId, auction))).to.equal(`400 VALIDATION_ERROR auction.${field}`);
    }
  };

  shows('sandbox.simulate.200', async () => {
    const dspId = await delegate([]);
    expect((await simulate(dspId, {})).status).to.equal(200);
    const missing = await exchange.call('POST', path, { auction: {} });
    expect(errorOf(missing)).to.equal('400 INVALID_PARAMS dsp_id');
    expect(errorOf(await simulate(dspId, { floor: 2 }))).to.equal('400 VALIDATION_ERROR auction.floor');
  });
  it('are of sandbox delegates alone', async () => {
    const live = (await exchange.create('/api/demand/sources', { mode: 'delegate' })).id;
    for (const id of [ABSENT_ID, 'nobody', live]) {
      expect(errorOf(await simulate(id, {}))).to.equal('404 NOT_FOUND');
    }
    const bidder = await demand({ mode: 'rtb', endpoint_url: 'https://bidder.example/' });
    expect(errorOf(await simulate(bidder, {}))).to.equal('400 VALIDATION_ERROR dsp_id');
    const archived = await demand();
    await exchange.call('DELETE', `/api/demand/sources/${archived}`, undefined, inSandbox);
    expect(errorOf(await simulate(archived, {}))).to.equal('409 CONFLICT');
  });

  describe('auction', () => {
    const geo = (fields: object) => ({ device: { geo: fields } });
    shows('sandbox.simulate.devicetype', async () => {
      const type = (devicetype: unknown) => ({ device: { devicetype } });
      await decides('device.devicetype', '3', type(3), type(4));
      await refuses('device.devicetype', [type('3'), type(3.5), type(-1)]);
    });
    shows('sandbox.simulate.country', async () => {
      await decides('geo.country', 'AE', geo({ country: 'ARE' }), geo({ country: 'GBR' }));
      await refuses('device.geo.country', [geo({ country: 7 }), geo({ country: '' })]);
    });
    shows('sandbox.simulate.region', async () => {
      await decides('geo.region', 'DU', geo({ region: 'DU' }), geo({ region: 'AZ' }));
      await refuses('device.geo.region', [geo({ region: ['DU'] })]);
    });
    shows('sandbox.simulate.city', async () => {
      await decides('device.geo.city', 'Dubai', geo({ city: 'Dubai' }), geo({ city: 'Sharjah' }));
      await refuses('device.geo.city', [geo({ city: true })]);
    });
    shows('sandbox.simulate.genre', async () => {
      const genre = (genre: unknown) => ({ content: { genre } });
      await decides('content.genre', 'drama', genre('drama'), genre('sport'));
      await refuses('content.genre', [genre(1)]);
    });
    shows('sandbox.simulate.categories', async () => {
      const categories = (...categories: unknown[]) => ({ categories });
      await decides('content.cat', 'IAB1-7', categories('IAB17', 'IAB1-7'), categories('IAB17'));
      await decides('site.cat', 'IAB1-7', categories('IAB1-7'), categories('IAB17'));
      const dspId = await demand();
      expect(errorOf(await simulate(dspId, { categories: 'IAB1' }))).to.match(
        /^400 VALIDATION_ERROR auction.categories/,
      );
      expect(errorOf(await simulate(dspId, categories(1)))).to.match(/^400 VALIDATION_ERROR auction.categories/);
    });
    shows('sandbox.simulate.bidfloor', async () => {
      const dspId = await delegate([]);
      expect(await simulated(dspId, {})).to.include({ floor: 0, won: true });
      expect(await simulated(dspId, { bidfloor: 4 })).to.include({ floor: 4, won: true, clearing_price: 4 });
      expect(await simulated(dspId, { bidfloor: 4.01 })).to.include({ floor: 4.01, won: false, clearing_price: null });
      await refuses('bidfloor', [{ bidfloor: '1' }, { bidfloor: -1 }]);
    });
    shows('sandbox.simulate.publisher_id', async () => {
      const pool = await exchange.create('/api/supply/pools', { floor_price_cpm: 3 });
      const publisher_id = await supply({ floor_price_cpm: 2, content_genre: 'drama', pool_id: pool.id });
      const dspId = await delegate(is('content.genre', 'drama'));
      expect(await simulated(dspId, { publisher_id }), 'its genre and its pool’s floor').to.include({
        matched_rule: 'the-rule',
        floor: 3,
      });
      const sport = { publisher_id, content: { genre: 'sport' } };
      expect((await simulated(dspId, sport)).matched_rule, 'fills only what is missing').to.equal(null);
      const dear = await supply({ floor_price_cpm: 5, pool_id: pool.id, content_genre: 'drama', type: 'ctv' });
      expect((await simulated(dspId, { publisher_id: dear })).floor).to.equal(5);
      expect((await simulated(dspId, { publisher_id: dear, bidfloor: 6 })).floor).to.equal(6);
      const archived = await supply();
      await exchange.call('DELETE', `/api/supply/sources/${archived}`, undefined, inSandbox);
      const live = await supply({ sandbox: false });
      await refuses(
        'publisher_id',
        [ABSENT_ID, 'nobody', 7, archived, live].map((id) => ({ publisher_id: id })),
      );
    });
  });

  describe('result', () => {
    const conditions = [...is('device.devicetype', '3'), { field: 'geo.country', operator: 'in', value: 'AE,SA' }];
    const auction = { device: { devicetype: 3, geo: { country: 'SAU' } }, bidfloor: 2 };

    shows('sandbox.simulate.match', async () => {
      const result = await simulated(await delegate(conditions, { rule: { bid_multiplier: 1.5 } }), auction);
      expect(result).to.have.all.keys(
        'matched_rule campaign_id campaign_name bid_cpm base_cpm won clearing_price floor reason creative conditions_evaluated'.split(
          ' ',
        ),
      );
      expect(result).to.include({
        matched_rule: 'the-rule',
        campaign_id: 'drama',
        campaign_name: drama.campaign_name,
        bid_cpm: 6,
        base_cpm: 4,
        won: true,
        clearing_price: 6,
        floor: 2,
      });
      expect(result.reason).to.match(/the-rule.*6 CPM.*wins/);
      const capped = await simulated(await delegate(conditions, { rule: { bid_cpm: 50 } }), auction);
      expect(capped).to.include({ bid_cpm: 9, clearing_price: 9 });
      const lost = await simulated(await delegate(conditions), { ...auction, bidfloor: 10 });
      expect(lost).to.include({ matched_rule: 'the-rule', bid_cpm: 4, won: false, clearing_price: null, floor: 10 });
      expect(lost.reason).to.match(/loses/);
    });
    shows('sandbox.simulate.match.creative', async () => {
      const { creative } = await simulated(await delegate([]), {});
      expect(creative).to.deep.equal({ vast_url: vastUrl('spot'), creative_id: 'spot' });
      const banner = { creative_id: 'box', image_url: imageUrl('box'), width: 300, height: 250 };
      const shown = await simulated(await delegate([], { campaign: { creative: banner } }), {});
      expect(shown.creative).to.deep.equal({ vast_url: null, creative_id: 'box' });
    });
    shows('sandbox.simulate.conditions', async () => {
      const dspId = await delegate(conditions, { campaign: { targeting: { genres: ['drama'] } } });
      const missed = await simulated(dspId, { device: { devicetype: 3, geo: { country: 'GB' } } });
      expect(missed.conditions_evaluated).to.have.length(1);
      const [{ campaign, rules, targeting }] = missed.conditions_evaluated;
      expect(campaign).to.equal('drama');
      expect(targeting).to.deep.equal([
        { field: 'content.genre', operator: 'in', value: 'drama', actual: null, matched: false },
      ]);
      expect(rules).to.deep.equal([
        {
          rule_id: 'the-rule',
          matched: false,
          conditions: [
            { field: 'device.devicetype', operator: 'eq', value: '3', actual: 3, matched: true },
            { field: 'geo.country', operator: 'in', value: 'AE,SA', actual: 'GB', matched: false },
          ],
        },
      ]);
    });
    shows('sandbox.simulate.no-match', async () => {
      const result = await simulated(await delegate(conditions), { bidfloor: 2 });
      expect(result).to.have.all.keys(
        'matched_rule campaign_id bid_cpm won floor message conditions_evaluated'.split(' '),
      );
      expect(result).to.include({ matched_rule: null, campaign_id: null, bid_cpm: 0, won: false, floor: 2 });
      expect(result.message).to.be.a('string').and.not.equal('');
      const empty = await simulated(await demand(), {});
      expect(empty).to.include({ campaign_id: null, won: false });
      expect(empty.conditions_evaluated).to.deep.equal([]);
    });
    it('follow campaigns of the Campaign API, and pauses', async () => {
      const dspId = await demand();
      const made = await exchange.create('/api/campaigns', { dsp_id: dspId, ...drama, name: undefined }, inSandbox);
      expect(await simulated(dspId, {}), 'on its targeting alone').to.include({
        matched_rule: null,
        campaign_id: 'drama',
        won: true,
      });
      await exchange.call('POST', `/api/campaigns/${made.id}/pause`, undefined, inSandbox);
      const paused = await simulated(dspId, {});
      expect(paused.campaign_id).to.equal(null);
      expect(paused.conditions_evaluated[0].reason).to.match(/paused/);
    });
  });
});
