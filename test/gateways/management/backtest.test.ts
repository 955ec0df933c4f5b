import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { againstExchange, type ExchangeUnderTest } from '../../specification/against-exchange.ts';
import { campaignOf, type DelegateMarket, delegateMarket, htmlCreative } from '../../specification/delegate-market.ts';
import { bids, type Script } from '../../support/bidder.ts';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';

const EVERYTHING = {
  AUCTION_SAMPLES_PER_SECOND: '1000',
  MAX_REQUESTS_PER_SECOND_PER_ADDRESS: '0',
  MAX_REQUESTS_PER_SECOND_PER_DEVICE: '0',
};

/** What a strategy's campaigns are for: countries, sizes, hours, and floors that some do not reach. */
const CAMPAIGNS = [
  campaignOf('germany', { targeting: { countries: ['DEU'] }, bidding: { base_cpm: 4 }, adomain: ['brand.test'] }),
  campaignOf('anywhere', { bidding: { base_cpm: 2 } }),
  campaignOf('ruled', { priority: 5, bidding: { base_cpm: 1 } }),
  campaignOf('blocked', {
    priority: 9,
    targeting: { countries: ['FRA'] },
    bidding: { base_cpm: 9 },
    adomain: ['rival.test'],
  }),
  campaignOf('wide', { bidding: { base_cpm: 3 }, creative: htmlCreative('wide', { width: 728, height: 90 }) }),
];
const RULES = [
  {
    rule_id: 'phones',
    campaign_id: 'ruled',
    conditions: [{ field: 'device.devicetype', operator: 'in', value: '1,4' }],
    bid_multiplier: 5,
  },
  {
    rule_id: 'sport',
    campaign_id: 'ruled',
    conditions: [{ field: 'content.genre', operator: 'eq', value: 'sport' }],
    bid_cpm: 2.5,
  },
];

/** By campaign, a request that it wins: so that all are known to have come to the edge. */
const ONE_FOR_EACH = {
  ruled: requestLike('USA', 300, 250, 'sport'),
  germany: requestLike('DEU', 300, 250, 'news'),
  anywhere: requestLike('USA', 300, 250, 'news'),
  blocked: requestLike('FRA', 300, 250, 'news'),
  wide: requestLike('USA', 728, 90, 'news'),
};

function requestLike(country: string, w: number, h: number, genre: string): Record<string, unknown> {
  return { imp: [{ id: '1', banner: { w, h } }], device: { devicetype: 2, geo: { country } }, genre };
}

/** Ad requests of many kinds, the same ones each time. */
function requestsOf(count: number): Record<string, unknown>[] {
  const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
  return Array.from({ length: count }, (_, at) => ({
    imp: [
      {
        id: '1',
        banner: pick(
          [
            { w: 300, h: 250 },
            { w: 728, h: 90 },
            {
              format: [
                { w: 300, h: 250 },
                { w: 728, h: 90 },
              ],
            },
          ],
          at,
        ),
        bidfloor: pick([0, 1, 2.2, 3.5], at >> 1),
      },
    ],
    device: { devicetype: pick([2, 4, 3], at >> 2), geo: { country: pick(['DEU', 'FRA', 'USA'], Math.floor(at / 3)) } },
    genre: pick(['sport', 'news'], Math.floor(at / 9)),
    badv: pick([['rival.test'], []], Math.floor(at / 18)),
  }));
}

againstExchange(
  'the backtest',
  (exchange) => {
    it('agrees with what a live delegate bid, won and spent, to the cent', async () => {
      // Prices of a rival that differ from imp to imp, and never equal the strategy's.
      const rival: Script = (received, response) => {
        const [{ bidfloor = 0 }] = received.body.imp;
        bids({ price: 1.11 + bidfloor })(received, response);
      };
      const market = await delegateMarket(exchange, {
        publisher: { blocked_domains: ['never.example'] },
        bidders: [{ script: rival }],
      });
      const { publisherId } = market.market;
      const requests = requestsOf(72);

      // A period with the delegate live.
      const dspId = await market.delegate();
      await market.upload(dspId, CAMPAIGNS, { rules: RULES });
      for (const [campaignId, request] of Object.entries(ONE_FOR_EACH)) {
        await market.wins(campaignId, requestFor(publisherId, request));
      }
      const liveFrom = await pause();
      const live = { won: new Map<string, number>(), cents: 0, wins: 0 };
      for (const request of requests) {
        for (const { cid, price } of await market.sold(requestFor(publisherId, request))) {
          if (!cid) continue;
          live.won.set(cid, (live.won.get(cid) ?? 0) + 1);
          live.wins += 1;
          live.cents += price / 10;
        }
      }
      const liveTo = await pause();

      // Another period, of the same requests, without it.
      const left = await exchange.call('DELETE', `/api/demand/sources/${dspId}/pools/${market.market.poolId}`);
      expect(left.status).to.be.oneOf([200, 204]);
      await eventually('the delegate to have left', async () =>
        (await market.sold(requestFor(publisherId, requests[0]!))).every(({ cid }) => !cid),
      );
      const quietFrom = await pause();
      for (const request of requests) await market.sold(requestFor(publisherId, request));
      const quietTo = await pause();
      const again = await exchange.call('POST', `/api/demand/sources/${dspId}/pools/${market.market.poolId}`);
      expect(again.status).to.equal(200);

      const strategy = strategyOf(dspId, CAMPAIGNS, RULES);
      for (const [from, to] of [
        [quietFrom, quietTo],
        [liveFrom, liveTo],
      ] as const) {
        const result = await backtested(exchange, dspId, { strategy, from, to }, requests.length);
        const won = new Map<string, number>();
        for (const { campaign_id: id, sample } of result.campaigns) if (sample.won > 0) won.set(id, sample.won);
        expect(Object.fromEntries(won)).to.deep.equal(Object.fromEntries(live.won));
        expect(result.sample.won).to.equal(live.wins);
        expect(result.sample.spend_cents).to.be.closeTo(live.cents, 1e-9);
        expect(result.sample.tied).to.equal(0);
        expect(result.extrapolated).to.deep.equal(result.sample);
        expect(result.auctions).to.include({ held_again: requests.length, represented: requests.length, pod_imps: 0 });
      }
      // What is bid but not won is the same as live, too.
      const lost = await exchange.get(
        `/api/auctions?dsp_id=${dspId}&outcome=lost&from=${liveFrom}&to=${liveTo}&limit=200`,
      );
      const result = await backtested(exchange, dspId, { strategy, from: quietFrom, to: quietTo }, requests.length);
      expect(result.sample.bids - result.sample.won).to.equal(lost.body.auctions.length);
      const blocked = result.campaigns.find(({ campaign_id: id }: { campaign_id: string }) => id === 'blocked');
      expect(blocked.refusals['blocked-advertiser']).to.be.above(0);
      const ruled = result.campaigns.find(({ campaign_id: id }: { campaign_id: string }) => id === 'ruled');
      expect(ruled.rules.map(({ rule_id }: { rule_id: string }) => rule_id).sort()).to.deep.equal(['phones', 'sport']);
      const [example] = ruled.examples.won;
      expect((await exchange.get(`/api/auctions/${example}`)).body).to.include({ publisher_id: publisherId });
      // The same auctions give the same figures, byte for byte.
      expect(
        await backtested(exchange, dspId, { strategy, from: quietFrom, to: quietTo }, requests.length),
      ).to.deep.equal(result);
    });

    it('spends budgets in the order of time, and says what ties', async () => {
      const { market, dspId, from, to, count } = await quietMarket(exchange, { price: 2 });
      const budget = { daily_cents: 1, pacing: 'aggressive' };
      const result = await backtested(
        exchange,
        dspId,
        { strategy: strategyOf(dspId, [campaignOf('small', { budget, bidding: { base_cpm: 4 } })]), from, to },
        count,
      );
      // A cent pays two impressions at 4 CPM (0.4 cents each).
      expect(result.sample).to.include({
        won: 2,
        bids: 2,
        kept_back_by_budget: count - 2,
        spend_cents: 0.8,
        avg_cpm: 4,
      });
      const tied = await backtested(
        exchange,
        dspId,
        { strategy: strategyOf(dspId, [campaignOf('same', { bidding: { base_cpm: 2 } })]), from, to },
        count,
      );
      expect(tied.sample).to.include({ won: 0, tied: count, bids: count, spend_cents: 0 });
      expect(tied.campaigns[0].examples.tied).to.have.length(3);
      const capped = campaignOf('capped', {
        bidding: { base_cpm: 1 },
        frequency_cap: { max_impressions: 1 },
        creative: { creative_id: 'new', image_url: 'https://ads.test/new.png', width: 300, height: 250 },
      });
      const assumed = await backtested(exchange, dspId, { strategy: strategyOf(dspId, [capped]), from, to }, count);
      expect(assumed.assumptions.join(' '))
        .to.contain('Frequency caps are left aside')
        .and.to.contain('new, not hosted');
      expect(assumed.sample).to.include({ bids: count, outbid: count });
      expect(market.market.publisherId).to.be.a('string');
    });

    it('uses the campaigns that the delegate has where none are given, and changes nothing', async () => {
      const { dspId, from, to, count } = await quietMarket(exchange, { price: 2 });
      const saved = await exchange.call(
        'PUT',
        `/api/demand/sources/${dspId}/strategy`,
        strategyOf(dspId, [campaignOf('own', { bidding: { base_cpm: 7 } })]),
      );
      expect(saved.status).to.equal(200);
      const before = await exchange.get(`/api/demand/sources/${dspId}/stats?period=24h`);
      const result = await backtested(exchange, dspId, { from, to }, count);
      expect(result.sample).to.include({ won: count, spend_cents: (count * 7) / 10 });
      const after = await exchange.get(`/api/demand/sources/${dspId}/stats?period=24h`);
      expect(after.body).to.deep.equal(before.body);
      expect((await exchange.get(`/api/demand/sources/${dspId}/strategy`)).body).to.deep.equal(
        strategyOf(dspId, [campaignOf('own', { bidding: { base_cpm: 7 } })]),
      );
    });

    it('refuses what no strategy is, and periods that make no sense', async () => {
      const { id: dspId } = await exchange.create('/api/demand/sources', { mode: 'delegate' });
      const path = `/api/demand/sources/${dspId}/strategy/backtest`;
      const bad = await exchange.call('POST', path, {
        strategy: strategyOf(dspId, [campaignOf('a'), campaignOf('a')]),
      });
      expect(bad.status).to.equal(422);
      expect(bad.body.error).to.include({ code: 'STRATEGY_INVALID', field: 'strategy.campaigns[1].campaign_id' });
      const none = await exchange.call('POST', path, { strategy: null });
      expect(none.body.error).to.include({ code: 'STRATEGY_INVALID', field: 'strategy' });
      const now = new Date().toISOString();
      for (const [body, field] of [
        [{ from: now, to: now }, 'from'],
        [{ from: 'yesterday' }, 'from'],
        [{ from: '2026-02-30T00:00:00Z' }, 'from'],
        [{ to: 7 }, 'to'],
        [{ until: now }, 'until'],
      ] as const) {
        const { status, body: answer } = await exchange.call('POST', path, body);
        expect(status).to.equal(400);
        expect(answer.error).to.include({ code: 'VALIDATION_ERROR', field });
      }
      const rtb = await exchange.create('/api/demand/sources', { mode: 'rtb', endpoint_url: 'http://127.0.0.1:9/' });
      expect((await exchange.call('POST', `/api/demand/sources/${rtb.id}/strategy/backtest`, {})).status).to.equal(400);
      expect(
        (await exchange.call('POST', `/api/demand/sources/${randomUUID()}/strategy/backtest`, {})).status,
      ).to.equal(404);
      const { status, body } = await exchange.call('POST', path, {});
      expect(status).to.equal(200);
      expect(body.auctions).to.include({ recorded: 0, held_again: 0 });
    });
  },
  { pairs: PROVIDER_PAIRS, environment: EVERYTHING },
);

function requestFor(publisherId: string, { genre, ...request }: Record<string, unknown>): Record<string, unknown> {
  return { ...request, site: { id: publisherId, content: { genre } } };
}

function strategyOf(dspId: string, campaigns: readonly object[], rules: readonly object[] = []) {
  return { version: '1.0', dsp_id: dspId, default_bid: 0, campaigns, rules };
}

/** A market with one rival, of which some auctions are recorded, and a delegate that was in none of them. */
async function quietMarket(exchange: ExchangeUnderTest, { price }: { price: number }) {
  const market: DelegateMarket = await delegateMarket(exchange, {
    bidders: [{ script: bids({ price }) }],
  });
  const from = await pause();
  const count = 6;
  for (let made = 0; made < count; made++) await market.sold();
  const to = await pause();
  const dspId = await market.delegate();
  return { market, dspId, from, to, count };
}

/** The backtest, when all of the period has been recorded. */
function backtested(exchange: ExchangeUnderTest, dspId: string, body: object, auctions: number) {
  return eventually(`${auctions} auctions to be recorded`, async () => {
    const { status, body: result } = await exchange.call(
      'POST',
      `/api/demand/sources/${dspId}/strategy/backtest`,
      body,
    );
    expect(status, JSON.stringify(result)).to.equal(200);
    expect(result.auctions.recorded).to.be.at.most(auctions);
    return result.auctions.recorded === auctions ? result : undefined;
  });
}

/** An instant with nothing at it: after all that was, before all that comes. */
async function pause(): Promise<string> {
  const atMs = Date.now() + 2;
  await eventually('the next instant', () => Date.now() > atMs);
  return new Date(atMs).toISOString();
}
