import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { againstExchange } from '../../specification/against-exchange.ts';
import { campaignOf } from '../../specification/delegate-market.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';

const BANNER = { id: '1', banner: { w: 300, h: 250 } };

againstExchange(
  'POST /api/demand/sources/{id}/strategy/simulate',
  (exchange) => {
    const delegate = async (): Promise<string> =>
      (await exchange.create('/api/demand/sources', { mode: 'delegate' })).id;
    const simulate = (id: string, body: object) =>
      exchange.call('POST', `/api/demand/sources/${id}/strategy/simulate`, body);

    it('judges a strategy that was not uploaded on a bid request of any shape, and saves nothing', async () => {
      const id = await delegate();
      const { status, body } = await simulate(id, {
        strategy: strategyOf(id, RULED, RULES),
        bid_request: {
          id: 'r',
          imp: [{ ...BANNER, bidfloor: 3 }],
          site: { domain: 'news.example' },
          device: { os: 'iOS' },
        },
      });
      expect(status).to.equal(200);
      expect(body).to.include({ campaign_id: 'ruled', matched_rule: 'on-ios', bid_cpm: 4, floor: 3, won: true });
      expect(body.conditions_evaluated).to.deep.equal([
        {
          campaign: 'ruled',
          matched: true,
          reason: body.conditions_evaluated[0].reason,
          targeting: [],
          rules: [
            {
              rule_id: 'on-ios',
              matched: true,
              conditions: [
                { field: 'device.os', operator: 'eq', value: 'ios', actual: 'iOS', matched: true },
                { field: 'site.domain', operator: 'in', value: 'news.example', actual: 'news.example', matched: true },
              ],
            },
            {
              rule_id: 'not-here',
              matched: false,
              conditions: [{ field: 'user.yob', operator: 'gt', value: '1990', actual: null, matched: false }],
            },
          ],
        },
      ]);
      expect((await exchange.get(`/api/demand/sources/${id}/strategy`)).status).to.equal(404);
    });

    it('lets no campaign bid on an imp that shows none of its creatives', async () => {
      const id = await delegate();
      const { body } = await simulate(id, {
        strategy: strategyOf(id, [campaignOf('small')]),
        bid_request: { id: 'r', imp: [{ id: '1', banner: { w: 728, h: 90 } }] },
      });
      expect(body).to.include({ campaign_id: null, won: false, bid_cpm: 0 });
      expect(body.conditions_evaluated[0].reason).to.equal('The campaign has no creative that the imp can show.');
    });

    it('takes the campaigns that the delegate has where no strategy is given, and the floor of a publisher', async () => {
      const id = await delegate();
      const saved = await exchange.call(
        'PUT',
        `/api/demand/sources/${id}/strategy`,
        strategyOf(id, [campaignOf('own', { bidding: { base_cpm: 2 } })]),
      );
      expect(saved.status).to.equal(200);
      const publisher = await exchange.create('/api/supply/sources', {
        type: 'web',
        domain: 'shop.example',
        floor_price_cpm: 5,
      });
      const asked = { bid_request: { id: 'r', imp: [BANNER] }, publisher_id: publisher.id };
      const { body } = await simulate(id, asked);
      expect(body).to.include({ campaign_id: 'own', bid_cpm: 2, floor: 5, won: false, clearing_price: null });
      const nobody = await simulate(id, { ...asked, publisher_id: randomUUID() });
      expect(nobody.status).to.equal(400);
      expect(nobody.body.error).to.include({ code: 'VALIDATION_ERROR', field: 'publisher_id' });
    });

    it('shows long values of the request cut, and objects as such', async () => {
      const id = await delegate();
      const conditions = [
        { field: 'site.page', operator: 'contains', value: 'x' },
        { field: 'site.cat', operator: 'in', value: 'IAB1' },
        { field: 'device', operator: 'exists', value: 'true' },
      ];
      const { body } = await simulate(id, {
        strategy: strategyOf(id, [campaignOf('ruled')], [{ rule_id: 'long', campaign_id: 'ruled', conditions }]),
        bid_request: {
          id: 'r',
          imp: [BANNER],
          site: { page: `${'x'.repeat(99)}😀 and more`, cat: Array.from({ length: 30 }, (_, at) => `IAB${at}`) },
          device: { os: 'iOS' },
        },
      });
      const [page, categories, device] = body.conditions_evaluated[0].rules[0].conditions;
      expect(page.actual).to.equal(`${'x'.repeat(99)}…`);
      expect(categories.actual).to.have.length(11).and.include('…');
      expect(device.actual).to.equal('{…}');
    });

    it('refuses what is no strategy with every fault, and what is no bid request', async () => {
      const id = await delegate();
      const bid_request = { id: 'r', imp: [BANNER] };
      const bad = await simulate(id, { strategy: strategyOf(id, [campaignOf('a'), campaignOf('a')]), bid_request });
      expect(bad.status).to.equal(422);
      expect(bad.body.error).to.include({ code: 'STRATEGY_INVALID', field: 'strategy.campaigns[1].campaign_id' });
      for (const [body, field] of [
        [{}, 'bid_request'],
        [{ bid_request: 'r' }, 'bid_request'],
        [{ bid_request: { id: 'r' } }, 'bid_request.imp'],
        [{ bid_request: { id: 'r', imp: [{ ...BANNER, bidfloor: -1 }] } }, 'bid_request.imp[0].bidfloor'],
        [{ bid_request: { ...bid_request, ext: 'x'.repeat(70_000) } }, 'bid_request'],
        [{ bid_request, also: 1 }, 'also'],
      ] as const) {
        const { status, body: answer } = await simulate(id, body);
        expect(status, field).to.equal(400);
        expect(answer.error).to.include({ code: 'VALIDATION_ERROR', field });
      }
      const rtb = await exchange.create('/api/demand/sources', { mode: 'rtb', endpoint_url: 'http://127.0.0.1:9/' });
      expect((await simulate(rtb.id, { bid_request })).status).to.equal(400);
      expect((await simulate(randomUUID(), { bid_request })).status).to.equal(404);
    });
  },
  { pairs: PROVIDER_PAIRS },
);

const RULED = [campaignOf('ruled', { bidding: { base_cpm: 2 } })];
const RULES = [
  {
    rule_id: 'on-ios',
    campaign_id: 'ruled',
    conditions: [
      { field: 'device.os', operator: 'eq', value: 'ios' },
      { field: 'site.domain', operator: 'in', value: 'news.example' },
    ],
    bid_multiplier: 2,
  },
  {
    rule_id: 'not-here',
    campaign_id: 'ruled',
    conditions: [{ field: 'user.yob', operator: 'gt', value: '1990' }],
    bid_cpm: 9,
  },
];

function strategyOf(dspId: string, campaigns: readonly object[], rules: readonly object[] = []) {
  return { version: '1.0', dsp_id: dspId, default_bid: 0, campaigns, rules };
}
