import { expect } from 'chai';
import { againstExchange } from '../specification/against-exchange.ts';
import type { Market } from '../specification/market.ts';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';

/** What the dictionary says of prices, floors and budgets, by one auction over HTTP. */
againstExchange('the dictionary, live', (exchange) => {
  let market: Market;

  before(async () => {
    market = await exchange.market({
      publisher: { floor_price_cpm: 1.25 },
      pool: { floor_price_cpm: 1.5 },
      bidders: [{ script: bids({ price: 2.5000004 }) }, { script: bids({ price: 1.49 }) }],
    });
  });

  it('the clearing price is the winning bid, and the tracking URL carries it × 1,000,000', async () => {
    const bid = await market.bid();
    expect(bid.price).to.equal(2.5);
    const tracked = /https?:\/\/[^"]*\/track\/impression\?[^"]*/.exec(bid.adm)![0].replaceAll('&amp;', '&');
    expect(new URL(tracked).searchParams.get('price')).to.equal('2500000');
  });

  it('the floor is the highest of imp, publisher and pool, and is compared with the gross price', async () => {
    const floorAsked = async (bidfloor: number): Promise<number> => {
      const request = { imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor }] };
      const { id } = market.request();
      await market.ask({ ...request, id });
      return market.bidders[0]!.asked(id)!.body.imp[0].bidfloor;
    };
    // 1.25 of the publisher, 1.50 of the pool.
    expect(await floorAsked(1)).to.equal(1.5);
    expect(await floorAsked(2)).to.equal(2);
    // 2.50 reaches a floor of 2.50 whatever the fee takes of it, and not one of 2.51.
    const imp = (bidfloor: number) => ({ imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor }] });
    expect((await market.ask(imp(2.5))).status).to.equal(200);
    expect((await market.ask(imp(2.51))).status).to.equal(204);
  });

  it('one impression moves CPM ÷ 1000: a quarter of a cent, of which the publisher has 85 %', async () => {
    const cookie = await exchange.running.logIn();
    const fee = await exchange.call(
      'PUT',
      `/api/fees/${market.publisherId}`,
      { fee_percent: 15 },
      { Cookie: cookie, 'X-API-Key': '' },
    );
    expect(fee.status, JSON.stringify(fee.body)).to.equal(200);
    await eventually('the edge to know the fee', async () => {
      const bid = await market.bid();
      expect((await fetch(bid.burl)).status).to.equal(200);
      const { body } = await exchange.get(`/api/metrics/publisher/${market.publisherId}?period=1h`);
      return body.revenue_cents > 0 && body.revenue_cents < 0.25 * body.impressions;
    });
    const billed = await eventually('both sides to be told of all', async () => {
      const [publisher, dsp] = await Promise.all([
        exchange.get(`/api/metrics/publisher/${market.publisherId}?period=1h`),
        exchange.get(`/api/metrics/dsp/${market.bidders[0]!.dspId}?period=1h`),
      ]);
      const { impressions } = publisher.body;
      const agree = dsp.body.impressions === impressions && dsp.body.spend_cents === 0.25 * impressions;
      return agree ? { publisher, dsp } : null;
    });
    const { publisher, dsp } = billed;
    // The breakdown is gross: a quarter of a cent for each; 250 cents CPM.
    expect(publisher.body.dsp_breakdown).to.have.length(1);
    expect(publisher.body.dsp_breakdown[0]).to.include({
      spend_cents: dsp.body.spend_cents,
      avg_cpm_cents: 250,
    });
    // Each impression with the fee is 0.2125 cents, each without 0.25.
    const withFee = (0.25 * publisher.body.impressions - publisher.body.revenue_cents) / 0.0375;
    expect(withFee).to.be.closeTo(Math.round(withFee), 1e-6);
    expect(Math.round(withFee)).to.be.at.least(1);
  });

  it('an unlimited budget has nothing that remains', async () => {
    const { body } = await exchange.get(`/api/demand/sources/${market.bidders[0]!.dspId}/health`);
    expect(body).to.include({ daily_budget_remaining_cents: null });
  });
});
