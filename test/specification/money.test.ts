import { expect } from 'chai';
import { bids, type Script, silent } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson, PROVIDER_PAIRS } from '../support/exchange.ts';
import { pixelOf } from '../support/pixel-of.ts';
import { ABSENT_ID, againstExchange } from './against-exchange.ts';
import { BANNER, type Market } from './market.ts';
import { shows } from './shows.ts';

/** More decimals than micro-dollars have, so that rounding shows. */
const UNROUNDED_CPM = 1.2345678;
const ROUNDED_MICROS = 1_234_568;
const share = (part: number, whole: number) => Math.round((part / whole) * 10_000) / 10_000;

againstExchange(
  'money and metrics',
  (exchange) => {
    /** The only live traffic of this exchange. */
    let market: Market;
    let cpmOf250: string[];
    let rounded: { price: number; burl: string };
    let confirmedMs: number;
    let lagMs: number;
    // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
    let platform: any, supply: any, pool: any, publisher: any, buyer: any, loser: any, late: any;

    const figures = async (path: string) => (await exchange.get(path)).body;
    const readAll = async () => {
      const [buying, losing, timing] = market.bidders.map(({ dspId }) => dspId);
      platform = await figures('/api/metrics');
      supply = await figures(`/api/supply/sources/${market.publisherId}/stats`);
      pool = await figures(`/api/supply/pools/${market.poolId}/stats`);
      publisher = await figures(`/api/metrics/publisher/${market.publisherId}`);
      buyer = await figures(`/api/demand/sources/${buying}/stats`);
      loser = await figures(`/api/demand/sources/${losing}/stats`);
      late = await figures(`/api/demand/sources/${timing}/stats`);
    };
    const askedOf = (index: number) => market.bidders[index]!.received.filter(({ path }) => path === '/bid').length;
    const soldTo = (index: number) =>
      market.answers
        .flatMap(({ answer }) => answer.body?.seatbid ?? [])
        .flatMap(({ bid }) => bid)
        .filter(({ burl }) => new URL(burl).searchParams.get('dsp') === market.bidders[index]!.dspId).length;
    const imps = () => market.answers.reduce((sum, one) => sum + one.imps, 0);
    const filled = () => soldTo(0) + soldTo(1);

    before(async () => {
      market = await exchange.market({
        bidders: [{ script: bids({ price: 2.5, crid: 'spot' }) }, { script: bids({ price: 1 }) }, { script: silent() }],
      });
      const [first] = market.bidders as [(typeof market.bidders)[0]];
      const won = [];
      for (let count = 0; count < 4; count++) won.push(await market.bid());
      cpmOf250 = won.map(({ burl }) => burl);
      first.script = bids({ price: UNROUNDED_CPM, crid: 'odd' });
      rounded = await market.bid();
      first.script = bids({ price: 2.5, crid: 'spot' });
      // Two imps of which one fills, one request that no buyer can pay, and two that never reach the auction.
      await market.ask({ imp: [BANNER, { ...BANNER, id: '2', bidfloor: 50 }] });
      await market.ask({ imp: [{ ...BANNER, bidfloor: 50 }] });
      const refused = [market.request({ imp: undefined }), market.request({ site: { id: ABSENT_ID } })];
      const statuses = [];
      for (const request of refused) {
        statuses.push((await callJson('POST', `${exchange.running.edgeUrl}/rtb`, request)).status);
      }
      expect(statuses).to.deep.equal([400, 403]);

      // Three of the four wins at 2.50 are rendered, one of them by pixel and burl together, and the odd one.
      const [pixelAndBurl, ...others] = cpmOf250.slice(0, 3) as [string, string, string];
      for (const url of [pixelOf(pixelAndBurl), pixelAndBurl, ...others, rounded.burl]) {
        expect((await fetch(url)).status).to.equal(200);
      }
      confirmedMs = performance.now();
      await eventually(
        'the figures to say what happened',
        async () => {
          await readAll();
          const asked = [buyer, loser, late].every(({ bid_requests: sent }, index) => sent === askedOf(index));
          return (
            asked &&
            buyer.impressions === 4 &&
            supply.impressions === 4 &&
            platform.impressions === 4 &&
            supply.bid_requests === market.answers.length
          );
        },
        { timeoutMs: 60_000, everyMs: 100 },
      );
      lagMs = performance.now() - confirmedMs;
      // All of them after the last ledger has been told.
      await readAll();
    });

    shows('money.clearing-price', () => expect(rounded.price).to.equal(ROUNDED_MICROS / 1_000_000));
    shows('money.tracking-price', () => {
      expect(new URL(cpmOf250[0]!).searchParams.get('price')).to.equal('2500000');
      expect(new URL(rounded.burl).searchParams.get('price')).to.equal(String(ROUNDED_MICROS));
    });
    shows(['money.one-impression', 'money.delivered', 'money.pixel-and-burl', 'money.cents-decimals'], () => {
      // 3 × 0.25 cents and 0.1234568 cents, whatever was won beside.
      expect(supply.impressions).to.equal(4);
      expect(supply.revenue_cents).to.equal(0.8735);
      expect(filled()).to.be.above(4);
    });
    shows('money.ecpm', () => expect(supply.ecpm_cents).to.equal(218.3642));
    shows('money.avg_cpm', () => expect(buyer.avg_cpm_cents).to.equal(218.3642));
    shows('money.spend-is-gross', () => {
      expect(buyer.spend_cents).to.equal(0.8735);
      expect(publisher.dsp_breakdown[0]).to.include({ dsp_id: market.bidders[0]!.dspId, spend_cents: 0.8735 });
      expect(loser.spend_cents).to.equal(0);
    });
    shows('money.auctions', () => expect(platform.auctions).to.equal(market.answers.length));
    shows('money.bid_requests', () => expect(supply.bid_requests).to.equal(market.answers.length));
    shows('money.bid_requests_sent', () =>
      expect(platform.bid_requests_sent).to.equal(askedOf(0) + askedOf(1) + askedOf(2)),
    );
    shows('money.fill_rate', () => {
      expect(supply.fill_rate).to.equal(share(filled(), imps()));
      expect(platform.fill_rate).to.equal(supply.fill_rate);
    });
    shows('money.fill_rate.none', async () => {
      const { id } = await exchange.create('/api/supply/sources', { domain: 'idle.example', type: 'web' });
      const { fill_rate, bid_requests } = await figures(`/api/supply/sources/${id}/stats`);
      expect([fill_rate, bid_requests]).to.deep.equal([0, 0]);
    });
    shows('money.win_rate', () => {
      expect([buyer.wins, loser.wins]).to.deep.equal([soldTo(0), soldTo(1)]);
      expect(buyer.bids).to.be.at.least(buyer.wins);
      expect(buyer.win_rate).to.equal(share(buyer.wins, buyer.bids));
      expect(loser.win_rate).to.equal(share(loser.wins, loser.bids));
    });
    shows('money.timeout_rate', () => {
      expect(late.timeout_rate).to.equal(1);
      expect(buyer.timeout_rate).to.be.below(1);
    });
    shows('money.floors-gross', async () => {
      const script: Script = bids({ price: 2 });
      const floored = await exchange.market({
        publisher: { floor_price_cpm: 1 },
        pool: { floor_price_cpm: 1.5 },
        bidders: [{ script }],
      });
      const told = async (bidfloor: number) => {
        const request = floored.request({ imp: [{ ...BANNER, bidfloor }] });
        const { status } = await floored.ask(request);
        return [status, floored.bidders[0]!.asked(request.id)!.body.imp[0].bidfloor];
      };
      expect(await told(0.5)).to.deep.equal([200, 1.5]);
      expect(await told(2)).to.deep.equal([200, 2]);
      expect(await told(2.01)).to.deep.equal([204, 2.01]);
    });
    shows('pool.stats', async () => {
      const { publisher_id: _, ...same } = supply;
      expect(pool).to.deep.equal({ pool_id: market.poolId, ...same });

      const several = await exchange.market({ bidders: [{ script: bids({ price: 2 }) }] });
      const source = { domain: 'second.example', type: 'web', pool_id: several.poolId };
      const { id } = await exchange.create('/api/supply/sources', source);
      const second = await eventually('the edge to know the second source', async () => {
        const { status, body } = await several.ask({ site: { id } });
        return status === 200 && body;
      });
      for (const { burl } of [await several.bid(), await several.bid(), second.seatbid[0].bid[0]]) await fetch(burl);
      await eventually('what both have sold to be in the figures', async () => {
        const one = await figures(`/api/supply/sources/${several.publisherId}/stats`);
        const other = await figures(`/api/supply/sources/${id}/stats`);
        const sum = await figures(`/api/supply/pools/${several.poolId}/stats`);
        return (
          one.impressions === 2 &&
          other.impressions === 1 &&
          sum.impressions === 3 &&
          Math.abs(sum.revenue_cents - 0.6) < 1e-9 &&
          sum.bid_requests === one.bid_requests + other.bid_requests
        );
      });
    });
    shows('limit.metrics-lag', () => expect(lagMs).to.be.below(60_000));
  },
  { pairs: PROVIDER_PAIRS, steady: true },
);
