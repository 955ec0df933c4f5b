import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { againstExchange } from './against-exchange.ts';
import { DRAMA_ON_CTV, OPERATORS, timesAroundNow } from './conditions.ts';
import { campaignOf, type DelegateMarket, delegateMarket, type Sold } from './delegate-market.ts';
import { shows } from './shows.ts';

const PAGE = 'https://site.example/';
const ABSENT = ['neq holds', 'neq fails', 'not_in holds', 'not_in fails', 'exists fails'];

interface Placed {
  readonly conditions?: readonly object[];
  /** Fields of the rule, beside its conditions. */
  readonly rule?: object;
  readonly campaign?: object;
}

/** The rows of strategy-rules.test.ts in real auctions: each rule bids on a page of its own alone. */
againstExchange(
  'rules of delegate strategies in auctions',
  (exchange) => {
    const pageOf = (name: string) => PAGE + encodeURIComponent(name);
    const is = (field: string, value: string) => ({ field, operator: 'eq', value });

    /** A delegate with a campaign and a rule for each name. Resolves with what is sold of a page. */
    const trading = async (placed: Readonly<Record<string, Placed>>, publisher: object = {}, fields: object = {}) => {
      const market = await delegateMarket(exchange, { publisher });
      const campaigns = Object.entries(placed).map(([name, { campaign }]) => campaignOf(name, campaign));
      const rules = Object.entries(placed).map(([name, { conditions = [], rule }]) => ({
        rule_id: name,
        campaign_id: name,
        conditions: [is('site.page', pageOf(name)), ...conditions],
        ...rule,
      }));
      const known = { rule_id: 'known', campaign_id: 'known', conditions: [is('site.page', pageOf('known'))] };
      const all = { rules: [...rules, known], ...fields };
      await market.upload(await market.delegate(), [...campaigns, campaignOf('known')], all);
      await market.wins('known', placedOn(market, 'known', {}));
      return async (name: string, request: Asked = DRAMA_ON_CTV): Promise<Sold | undefined> =>
        (await market.sold(placedOn(market, name, request)))[0];
    };
    interface Asked {
      readonly device?: object;
      readonly content?: object;
    }
    const placedOn = (market: DelegateMarket, name: string, { device, content }: Asked) => ({
      site: { id: market.market.publisherId, page: pageOf(name), ...(content && { content }) },
      ...(device && { device }),
    });

    const variants = Object.entries(OPERATORS).flatMap(([operator, [field, holds, fails]]) => [
      [`${operator} holds`, { field, operator, value: holds }] as const,
      [`${operator} fails`, { field, operator, value: fails }] as const,
    ]);
    shows(
      [
        ...Object.keys(OPERATORS).map((operator) => `strategy.operator.${operator}`),
        'strategy.address.devicetype',
        'strategy.absent-field',
        'strategy.all-conditions',
      ],
      async () => {
        const sell = await trading(Object.fromEntries(variants.map(([name, one]) => [name, { conditions: [one] }])));
        for (const [name] of variants) {
          expect((await sell(name))?.cid, name).to.equal(name.endsWith('holds') ? name : undefined);
          expect((await sell(name, {}))?.cid, `${name}, absent`).to.equal(ABSENT.includes(name) ? name : undefined);
        }
      },
    );

    shows(['strategy.address.country', 'strategy.address.genre'], async () => {
      const placed = {
        'alpha-2': { conditions: [is('geo.country', 'AE')] },
        'alpha-3': { conditions: [is('geo.country', 'ARE')] },
        drama: { conditions: [is('content.genre', 'drama')] },
        sport: { conditions: [is('content.genre', 'sport')] },
      };
      const sell = await trading(placed, { content_genre: 'sport' });
      for (const name of ['alpha-2', 'alpha-3']) {
        expect((await sell(name))?.cid, name).to.equal(name);
        expect(await sell(name, { device: { geo: { country: 'USA' } } }), name).to.equal(undefined);
      }
      expect((await sell('drama'))?.cid).to.equal('drama');
      expect(await sell('sport'), 'only where the request names none').to.equal(undefined);
      expect((await sell('sport', {}))?.cid, 'the publisher’s').to.equal('sport');
    });

    shows(['strategy.bid.rule', 'strategy.bid.max', 'strategy.field.default_bid'], async () => {
      const campaign = { bidding: { base_cpm: 2, max_cpm: 10 } };
      const sell = await trading(
        {
          stated: { campaign, rule: { bid_cpm: 3.25 } },
          times: { campaign, rule: { bid_multiplier: 1.5 } },
          neither: { campaign },
          much: { campaign, rule: { bid_cpm: 50 } },
          'many times': { campaign, rule: { bid_multiplier: 50 } },
          nothing: { campaign: { bidding: undefined } },
        },
        {},
        { default_bid: 1.75 },
      );
      const prices = { stated: 3.25, times: 3, neither: 2, much: 10, 'many times': 10, nothing: 1.75 };
      for (const [name, price] of Object.entries(prices)) expect((await sell(name))?.price, name).to.equal(price);
    });

    shows('strategy.rule-choice', async () => {
      const conditions = [is('site.page', pageOf('choice'))];
      const choice = (bidCpm: number, priority: number) => ({
        rule_id: `at ${bidCpm}`,
        campaign_id: 'choice',
        conditions,
        bid_cpm: bidCpm,
        priority,
      });
      const market = await delegateMarket(exchange);
      const rules = [choice(9, 0), choice(3, 2), choice(4, 2), choice(8, 1)];
      await market.upload(await market.delegate(), [campaignOf('choice')], { rules });
      expect(await market.wins('choice', placedOn(market, 'choice', {}))).to.include({ price: 4 });
    });

    shows(['strategy.hours', 'strategy.genres'], async () => {
      const times = timesAroundNow();
      const byRule = times.map(([schedule], at) => [`rule ${at}`, { rule: { schedule } }] as const);
      const byCampaign = times.map(([targeting], at) => [`campaign ${at}`, { campaign: { targeting } }] as const);
      const genres = { campaign: { targeting: { genres: ['Drama', 'thriller'] } } };
      const sell = await trading({ ...Object.fromEntries([...byRule, ...byCampaign]), genres });
      for (const [at, [time, isNow]] of times.entries()) {
        for (const name of [`rule ${at}`, `campaign ${at}`]) {
          expect((await sell(name))?.cid, `${name}: ${JSON.stringify(time)}`).to.equal(isNow ? name : undefined);
        }
      }
      expect((await sell('genres'))?.cid).to.equal('genres');
      expect(await sell('genres', { content: { genre: 'sport' } })).to.equal(undefined);
      expect(await sell('genres', {})).to.equal(undefined);
    });
  },
  { pairs: PROVIDER_PAIRS },
);
