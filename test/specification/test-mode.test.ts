import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { pixelOf } from '../support/pixel-of.ts';
import { againstExchange } from './against-exchange.ts';
import { campaignOf, delegateMarket } from './delegate-market.ts';

againstExchange(
  'live auctions in test mode',
  (exchange) => {
    it('serves the ads of `test` 1, and bills, spends and counts nothing of them', async () => {
      const market = await exchange.market({
        bidders: [{ script: bids({ price: 10 }), dsp: { daily_budget_cents: 1_000 } }],
      });
      const [bidder] = market.bidders as [(typeof market.bidders)[0]];
      bidder.script = bids({ price: 10, nurl: `${bidder.origin}/won`, burl: `${bidder.origin}/billed` });
      const budget = `/api/demand/dsp/${bidder.dspId}/budget`;
      const before = market.answers.filter(({ answer }) => answer.status === 200).length;
      const auctions = market.answers.length;

      const id = randomUUID();
      const test = await market.bid({ id, test: 1 });
      expect(test.adm).to.contain('/track/impression');
      for (const url of [pixelOf(test.burl), test.burl, pixelOf(test.burl), test.nurl]) {
        expect((await fetch(url)).ok).to.equal(true);
      }
      await bidder.waitForRequests('/won');
      const tag = `${exchange.running.edgeUrl}/ad?publisher_id=${market.publisherId}&format=banner&w=300&h=250&secure=0&test=1`;
      const tagged = await (await fetch(tag, { headers: { 'User-Agent': BROWSER_USER_AGENT } })).text();
      const tagPixel = /src="([^"]*\/track\/impression[^"]*)"/.exec(tagged)![1]!;
      expect((await fetch(tagPixel.replaceAll('&amp;', '&'))).status).to.equal(200);

      const sale = await market.bid();
      expect((await fetch(sale.burl)).status).to.equal(200);
      await bidder.waitForRequests('/billed');
      const statsOf = async (source: string) => (await exchange.get(`/api/${source}/stats`)).body;
      const [sold, bought] = await eventually(
        'the one sale to be billed and counted',
        async () => {
          const both = [
            await statsOf(`supply/sources/${market.publisherId}`),
            await statsOf(`demand/sources/${bidder.dspId}`),
          ];
          const [{ bid_requests }, { wins }] = both;
          return both.every(({ impressions }) => impressions > 0) && bid_requests > auctions && wins > before
            ? both
            : null;
        },
        { timeoutMs: 60_000 },
      );
      expect(sold).to.include({ impressions: 1, revenue_cents: 1, bid_requests: auctions + 1 });
      expect(bought).to.include({ impressions: 1, spend_cents: 1, wins: before + 1 });
      const spent = async () => (await exchange.get(budget)).body.spent_today_cents === 1;
      await eventually('the budget to have paid for the sale', spent, { timeoutMs: 60_000 });
      expect(bidder.received.filter(({ path }) => path.startsWith('/billed'))).to.have.length(1);

      type Listed = { readonly auction_id: string; readonly id: string; readonly summary: string };
      const recorded = await eventually('the test to be recorded', async () => {
        const { auctions: found } = (await exchange.get(`/api/auctions?publisher_id=${market.publisherId}`)).body;
        return found.find((one: Listed) => one.auction_id === id) as Listed | undefined;
      });
      expect(recorded).to.include({ test: true, outcome: 'filled', represents: 1 });
      expect(recorded.summary).to.match(/^In test mode, not billed\. Filled at 10 CPM/);
      const { body: shown } = await exchange.get(`/api/auctions/${recorded.id}`);
      expect(shown.sold[0]).to.include({ impression: 'test', cost_micros: 0 });
    });

    it('takes no place under a frequency cap, however often an ad is shown', async () => {
      const market = await delegateMarket(exchange);
      const dspId = await market.delegate();
      await market.upload(dspId, [campaignOf('capped', { frequency_cap: { max_impressions: 1 } })]);
      const device = { ifa: randomUUID() };
      await market.wins('capped', { device: { ifa: randomUUID() } });
      for (let times = 0; times < 3; times++) {
        const [ad, ...others] = await market.sold({ test: 1, device });
        expect(others).to.be.empty;
        expect((await fetch(ad!.burl)).status).to.equal(200);
      }
      expect(await market.sold({ device })).to.have.length(1);
    });
  },
  {
    pairs: PROVIDER_PAIRS,
    environment: { MAX_REQUESTS_PER_SECOND_PER_DEVICE: '0', AUCTION_SAMPLES_PER_SECOND: '100' },
  },
);
