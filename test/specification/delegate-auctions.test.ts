import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { againstExchange } from './against-exchange.ts';
import { campaignOf, DelegateMarket, delegateMarket, htmlCreative, type Sold } from './delegate-market.ts';
import { BANNER } from './market.ts';
import { shows } from './shows.ts';

const IMPS_AT_ONCE = 50;
/** χ² by degrees of freedom, larger once in a million times. */
const CRITICAL: Readonly<Record<number, number>> = { 1: 23.9, 2: 27.6 };

againstExchange(
  'auctions with delegates',
  (exchange) => {
    const cids = (sold: readonly Sold[]) => sold.map(({ cid }) => cid);
    const manyImps = Array.from({ length: IMPS_AT_ONCE }, (_, n) => ({ ...BANNER, id: String(n) }));

    shows('strategy.operator.versions', async () => {
      const market = await delegateMarket(exchange);
      const osv = (operator: string, value: string) => ({ field: 'device.osv', operator, value });
      const seven = [osv('gte', '7'), osv('eq', '7'), osv('lte', '7'), osv('in', '6,7'), osv('lt', '7.0.1')];
      const ten = [osv('gt', '7.9'), osv('eq', '7.10'), osv('neq', '7.1'), osv('lt', '8')];
      const rules = [
        { rule_id: 'r7', campaign_id: 'seven', conditions: seven },
        { rule_id: 'r10', campaign_id: 'ten', conditions: ten },
      ];
      await market.upload(await market.delegate(), [campaignOf('seven'), campaignOf('ten')], { rules });
      await market.wins('seven', { device: { osv: '7.0' } });
      await market.wins('ten', { device: { osv: '7.10' } });
      for (const [version, sold] of [
        ['7', ['seven']],
        ['7.0.0', ['seven']],
        ['7.10.0', ['ten']],
        ['7.1', []],
        ['7.0.1', []],
        ['8.0', []],
        ['seven', []],
      ] as const) {
        expect(cids(await market.sold({ device: { osv: version } })), version).to.deep.equal(sold);
      }
    });

    shows(
      ['overview.mode.delegate', 'campaign.serves', 'campaign.impression_trackers', 'campaign.performance'],
      async () => {
        const market = await delegateMarket(exchange);
        const dspId = await market.delegate();
        const creative = htmlCreative('spot', { impression_trackers: ['https://buyer.test/seen?a=1&b=2'] });
        const onPhones = { field: 'device.devicetype', operator: 'eq', value: '4' };
        const rules = [{ rule_id: 'phones', campaign_id: 'autumn', conditions: [onPhones], bid_cpm: 2.5 }];
        await market.upload(dspId, [campaignOf('autumn', { creative })], { rules });
        const sale = await market.wins('autumn', { device: { devicetype: 4 } });
        expect(sale).to.include({ price: 2.5, crid: 'spot', cid: 'autumn' });
        expect(sale.adm.indexOf('/track/impression?')).to.be.greaterThan(0);
        expect(sale.adm).to.contain('https://buyer.test/seen?a=1&amp;b=2').and.to.contain('spot');
        expect(cids(await market.sold({ device: { devicetype: 3 } }))).to.deep.equal([]);

        // One of the wins is seen; the tracker fires twice and bills once.
        for (let call = 0; call < 2; call += 1) expect((await fetch(sale.burl)).status).to.equal(200);
        const { campaigns } = (await exchange.get(`/api/campaigns?dsp_id=${dspId}`)).body;
        const wins = market.market.answers.filter(({ answer }) => answer.status === 200).length;
        const figures = await eventually(
          'the campaign’s figures',
          async () => {
            const { body } = await exchange.get(`/api/campaigns/${campaigns[0].id}/performance`);
            return body.impressions === 1 && body.wins === wins && body;
          },
          { timeoutMs: 60_000, everyMs: 100 },
        );
        expect(figures).to.deep.equal({
          id: campaigns[0].id,
          campaign_id: 'autumn',
          dsp_id: dspId,
          period: '24h',
          impressions: 1,
          spend_cents: 0.25,
          // Of the campaign, which has none.
          budget: {
            daily_cents: 0,
            spent_today_cents: 0.25,
            reserved_today_cents: 0,
            remaining_today_cents: null,
            total_cents: 0,
            remaining_total_cents: null,
          },
          ecpm_cents: 250,
          bids: wins,
          wins,
          win_rate: 1,
          creatives: [{ creative_id: 'spot', bids: wins, wins, win_rate: 1, impressions: 1, ecpm_cents: 250 }],
        });
        const stats = await eventually(
          'the figures of its demand source',
          async () => {
            const { body } = await exchange.get(`/api/demand/sources/${dspId}/stats`);
            return body.impressions === 1 && body.wins === wins && body;
          },
          { timeoutMs: 60_000, everyMs: 100 },
        );
        expect(stats).to.include({ wins, bids: wins, impressions: 1, spend_cents: 0.25 });
        expect(stats.bid_requests).to.be.greaterThan(wins);
      },
    );

    shows('strategy.one-bid', async () => {
      const market = await delegateMarket(exchange);
      const dspId = await market.delegate();
      const rivalId = await market.delegate();
      await market.upload(rivalId, [campaignOf('rival', { bidding: { base_cpm: 4 } })]);
      await market.wins('rival');
      const urgent = (id: string) => campaignOf(id, { priority: 1, bidding: { base_cpm: 6 } });
      await market.upload(dspId, [
        campaignOf('dear', { bidding: { base_cpm: 9 } }),
        campaignOf('urgent and cheap', { priority: 1, bidding: { base_cpm: 5 } }),
        urgent('tie a'),
        urgent('tie b'),
      ]);
      await eventually('the delegate to win', async () => (await market.sold()).some(({ cid }) => cid !== 'rival'));
      const counts = new Map<string, number>();
      const requests = 8;
      for (let request = 0; request < requests; request += 1) {
        const sold = await market.sold({ imp: manyImps });
        expect(sold).to.have.length(IMPS_AT_ONCE);
        for (const { cid } of sold) counts.set(cid!, (counts.get(cid!) ?? 0) + 1);
      }
      expect([...counts.keys()].sort()).to.deep.equal(['tie a', 'tie b']);
      expectShares(counts, { 'tie a': 0.5, 'tie b': 0.5 });
      const bidsOf = async (id: string) => (await exchange.get(`/api/demand/sources/${id}/stats`)).body;
      await eventually('as many bids as imps', async () => {
        const [own, rival] = [await bidsOf(dspId), await bidsOf(rivalId)];
        return own.bids >= requests * IMPS_AT_ONCE && own.wins === own.bids && rival.bids >= own.bids;
      });
    });

    for (const [where, field, ours, theirs] of [
      ['countries', { countries: ['DE', 'FR'] }, { geo: { country: 'FRA' } }, { geo: { country: 'USA' } }],
      ['devices', { devices: ['ctv'] }, { devicetype: 3 }, { devicetype: 4 }],
    ] as const) {
      shows(`campaign.targeting.${where}`, async () => {
        const market = await delegateMarket(exchange);
        const dspId = await market.delegate();
        await market.campaign(dspId, campaignOf('aimed', { targeting: field }));
        await market.wins('aimed', { device: ours });
        expect(cids(await market.sold({ device: theirs }))).to.deep.equal([]);
        expect(cids(await market.sold({ device: {} }))).to.deep.equal([]);
      });
    }

    const rotations: readonly [row: string, strategy: string | undefined, weights: object, shares: object][] = [
      ['weighted', 'weighted', { a: 10, b: 30, c: 0 }, { a: 0.25, b: 0.75 }],
      ['unweighted', undefined, { a: undefined, b: undefined, c: undefined }, { a: 1 / 3, b: 1 / 3, c: 1 / 3 }],
      ['missing-weights', 'weighted', { a: 1, b: 3, c: undefined }, { a: 1 / 6, b: 3 / 6, c: 2 / 6 }],
      ['random', 'random', { a: 1, b: 98, c: 1 }, { a: 1 / 3, b: 1 / 3, c: 1 / 3 }],
      ['round_robin', 'round_robin', { a: 1, b: 98, c: 1 }, { a: 1 / 3, b: 1 / 3, c: 1 / 3 }],
    ];
    for (const [row, rotation_strategy, weights, shares] of rotations) {
      shows(`campaign.rotation.${row}`, async () => {
        const market = await delegateMarket(exchange);
        const dspId = await market.delegate();
        const creatives = Object.entries(weights).map(([id, weight]) => htmlCreative(id, { weight }));
        await market.upload(dspId, [campaignOf('turning', { creatives, rotation_strategy })]);
        await market.wins('turning');
        const counts = new Map<string, number>();
        for (let request = 0; request < 12; request += 1) {
          for (const { crid } of await market.sold({ imp: manyImps })) counts.set(crid, (counts.get(crid) ?? 0) + 1);
        }
        // The requests before these have left a round unfinished.
        if (row === 'round_robin') for (const count of counts.values()) expect(count).to.be.within(199, 201);
        else expectShares(counts, shares as Record<string, number>);
      });
    }

    shows('campaign.propagation', async () => {
      const market = await delegateMarket(exchange);
      const dspId = await market.delegate();
      const id = await market.campaign(dspId, campaignOf('api'));
      const path = `/api/campaigns/${id}`;
      const within = { timeoutMs: 60_000 };
      await market.wins('api');
      await exchange.call('PUT', path, { bidding: { base_cpm: 7 } });
      await eventually('the new price', async () => (await market.sold())[0]?.price === 7, within);
      await exchange.call('POST', `${path}/pause`);
      await eventually('the pause', async () => (await market.sold()).length === 0, within);
      await exchange.call('POST', `${path}/reactivate`);
      await eventually('the campaign to bid again', async () => (await market.sold()).length === 1, within);
    });

    shows('strategy.propagation', async () => {
      const market = await delegateMarket(exchange);
      const dspId = await market.delegate();
      const becomes = (cids: readonly string[]) =>
        eventually(
          `${cids.join() || 'nobody'} to win`,
          async () => (await market.sold()).map(({ cid }) => cid).join() === cids.join(),
          { timeoutMs: 60_000 },
        );
      for (const cid of ['first', 'second']) {
        await market.upload(dspId, [campaignOf(cid)]);
        await becomes([cid]);
      }
      await market.upload(dspId, []);
      await becomes([]);
    });

    it('holds delegates to floors and block lists, beside bidders', async () => {
      const script = bids({ price: 1, crid: 'theirs' });
      const rtb = await exchange.market({ bidders: [{ script }], publisher: { blocked_categories: ['IAB7'] } });
      const market = new DelegateMarket(exchange, rtb);
      const dspId = await market.delegate();
      await market.upload(dspId, [campaignOf('own')]);
      await market.wins('own');
      expect(await market.sold({ imp: [{ ...BANNER, bidfloor: 3 }] })).to.deep.equal([]);
      await market.upload(dspId, [campaignOf('blocked', { categories: ['IAB7-2'] })]);
      await eventually('the bidder to win again', async () => (await market.sold())[0]?.crid === 'theirs');
      const stats = async () => (await exchange.get(`/api/demand/sources/${dspId}/stats`)).body;
      await eventually('lost bids', async () => (await stats()).bids > (await stats()).wins);
    });
  },
  { pairs: PROVIDER_PAIRS },
);

function expectShares(counts: ReadonlyMap<string, number>, shares: Readonly<Record<string, number>>): void {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  expect([...counts.keys()].sort()).to.deep.equal(Object.keys(shares).sort());
  const distance = Object.entries(shares).reduce(
    (sum, [name, share]) => sum + (counts.get(name)! - share * total) ** 2 / (share * total),
    0,
  );
  expect(distance, JSON.stringify([...counts])).to.be.below(CRITICAL[Object.keys(shares).length - 1]!);
}
