import { expect } from 'chai';
import { bids, noBid, silent, status } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, callJson } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import type { Market, MarketBidder } from './market.ts';
import { shows } from './shows.ts';

const ROUNDS = 12;

type Funnel = Answer['body'];

againstExchange(
  'the funnel of a demand source',
  (exchange) => {
    let market: Market;
    let auctions: number;
    let rendered: number;
    const funnels = new Map<string, Funnel>();
    const funnelOf = async ({ dspId }: MarketBidder, query = 'period=1h'): Promise<Funnel> => {
      const answer = await exchange.get(`/api/demand/sources/${dspId}/funnel?${query}`);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      return answer.body;
    };
    const countOf = ({ reasons }: Funnel, reason: string): number =>
      reasons.find((one: Funnel) => one.reason === reason)?.count ?? 0;

    const each = () => market.bidders.map(({ dspId }) => funnels.get(dspId)!);
    const soldAuctions = () => market.answers.filter(({ answer }) => answer.status === 200).length;

    before(async () => {
      const script = bids({ price: 2 });
      market = await exchange.market({
        publisher: { floor_price_cpm: 0.5 },
        bidders: Array.from({ length: 5 }, () => ({ script })),
      });
      const opening = market.answers.length;
      const [high, low, mixed, limited] = market.bidders as [MarketBidder, MarketBidder, MarketBidder, MarketBidder];
      high.script = bids({ price: 3 });
      // Under the floor; of another size; no answer, no bid, an error in turn; asked once a second.
      low.script = bids({ price: 0.1 });
      const turns = [silent(), noBid(), status(500), bids({ price: 2.9, w: 1, h: 1 })];
      let turn = 0;
      mixed.script = (received, response) => turns[turn++ % turns.length]!(received, response);
      await exchange.call('PUT', `/api/demand/sources/${limited.dspId}`, { qps_limit: 1 });
      rendered = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const { burl } = await market.bid();
        if (round % 2 === 0) continue;
        rendered += 1;
        expect((await callJson('GET', burl)).status).to.equal(200);
      }
      auctions = market.answers.length - opening;
      // What bidders received is what was sent, whatever the edges have counted.
      await eventually(
        'every auction in the funnels',
        async () => {
          for (const bidder of market.bidders) funnels.set(bidder.dspId, await funnelOf(bidder));
          const complete = market.bidders.every(({ dspId, received }) => {
            const { sent, available } = funnels.get(dspId)!;
            return sent === received.length && available >= auctions;
          });
          return complete && each().reduce((sum, { won }) => sum + won, 0) === soldAuctions();
        },
        { timeoutMs: 60_000, everyMs: 100 },
      );
      await eventually('the impressions in the books', async () => (await funnelOf(high)).rendered === rendered);
      funnels.set(high.dspId, await funnelOf(high));
    });

    shows('demand.funnel.200', () => {
      for (const funnel of each()) {
        expect(Object.keys(funnel)).to.deep.equal([
          ...[
            'dsp_id',
            'period',
            'available',
            'filtered',
            'sent',
            'answered',
            'no_bids',
            'timed_out',
            'errors',
            'bids',
          ],
          ...['invalid', 'valid', 'won', 'lost', 'rendered', 'invalid_traffic', 'spend_cents'],
        ]);
      }
    });

    shows('demand.funnel.adds-up', () => {
      for (const [index, funnel] of each().entries()) {
        expect(funnel.sent).to.equal(market.bidders[index]!.received.length);
        // Those of the market's opening, too, from when an edge knew the bidder.
        expect(funnel.available).to.be.within(auctions, market.answers.length);
        expect(funnel.filtered.total + funnel.sent).to.equal(funnel.available);
        expect(funnel.answered + funnel.no_bids.total + funnel.timed_out + funnel.errors.total).to.equal(funnel.sent);
        expect(funnel.invalid.total + funnel.valid).to.equal(funnel.bids);
        expect(funnel.won + funnel.lost.total).to.equal(funnel.valid);
        expect(funnel.rendered).to.be.at.most(funnel.won);
        for (const step of [funnel.filtered, funnel.errors, funnel.invalid, funnel.lost]) {
          expect(step.reasons.reduce((sum: number, { count }: Funnel) => sum + count, 0)).to.equal(step.total);
        }
      }
    });

    shows('money.timeout_rate', async () => {
      const [, , mixed] = market.bidders as [MarketBidder, MarketBidder, MarketBidder];
      const { sent, timed_out: timedOut } = funnels.get(mixed.dspId)!;
      const { body } = await exchange.get(`/api/demand/sources/${mixed.dspId}/stats?period=1h`);
      expect(body).to.include({ bid_requests: sent, timeout_rate: Math.round((timedOut / sent) * 10_000) / 10_000 });
      expect(body.timeout_rate).to.be.within(0.01, 0.5);
    });

    shows('demand.funnel.reasons', () => {
      for (const { filtered, errors, invalid, lost } of each()) {
        for (const { reasons } of [filtered, errors, invalid, lost]) {
          for (const reason of reasons) {
            expect(reason).to.have.all.keys('reason', 'count', 'description', 'loss_code', 'non_bid_status');
          }
        }
        for (const { loss_code: code, non_bid_status: status } of [...invalid.reasons, ...lost.reasons]) {
          expect([code, status].every(Number.isInteger)).to.equal(true);
        }
      }
      const [high, low, mixed, limited] = each() as [Funnel, Funnel, Funnel, Funnel];
      expect(high.won).to.be.at.least(ROUNDS);
      expect(high.rendered).to.equal(rendered);
      // Three dollars a thousand.
      expect(high.spend_cents).to.be.closeTo(rendered * 0.3, 1e-9);
      expect(countOf(low.lost, 'below-floor')).to.equal(ROUNDS);
      expect(low.lost.reasons.find(({ reason }: Funnel) => reason === 'below-floor')).to.deep.equal({
        ...{ reason: 'below-floor', count: ROUNDS, description: 'The bid was below the floor.' },
        ...{ loss_code: 100, non_bid_status: 301 },
      });
      expect(mixed.timed_out).to.equal(ROUNDS / 4);
      expect(mixed.no_bids.total).to.equal(ROUNDS / 4);
      expect(countOf(mixed.errors, 'http-error')).to.equal(ROUNDS / 4);
      expect(countOf(mixed.invalid, 'size-not-allowed')).to.equal(ROUNDS / 4);
      expect(countOf(limited.filtered, 'qps-limit')).to.be.above(0);
    });

    shows('supply.funnel', async () => {
      const refused = await callJson('POST', `${exchange.running.edgeUrl}/rtb`, market.request({ imp: [] }));
      expect(refused.status, 'what cannot be read is nobody’s').to.equal(400);
      const byBot = market.request({ device: { ua: 'Googlebot/2.1 (+http://www.google.com/bot.html)' } });
      const blocked = await callJson('POST', `${exchange.running.edgeUrl}/rtb`, byBot);
      expect(blocked.status).to.equal(403);
      const funnel = await eventually(
        'every request in the publisher’s funnel',
        async () => {
          const path = `/api/supply/sources/${market.publisherId}/funnel?period=1h`;
          const { status: answered, body } = await exchange.get(path);
          expect(answered, JSON.stringify(body)).to.equal(200);
          return body.blocked.total === 1 && body.rendered === rendered && body;
        },
        { timeoutMs: 60_000, everyMs: 100 },
      );
      const asked = market.answers.length;
      expect(funnel).to.deep.include({ requests: asked + 1, auctions: asked, imps: asked, filled: soldAuctions() });
      expect(funnel.unfilled).to.equal(asked - soldAuctions());
      expect(funnel.blocked.reasons).to.have.length(1);
      // Three dollars a thousand, without a fee.
      expect(funnel.revenue_cents).to.be.closeTo(rendered * 0.3, 1e-9);
    });

    shows('demand.funnel.query', async () => {
      const [high] = market.bidders as [MarketBidder];
      expect((await funnelOf(high, 'period=1h&region=nyc')).available).to.equal(0);
      const { available } = funnels.get(high.dspId)!;
      expect((await funnelOf(high, 'period=7d&region=fra')).available).to.equal(available);
      const path = (id: string, query = '') => `/api/demand/sources/${id}/funnel${query}`;
      expect(errorOf(await exchange.get(path(high.dspId, '?period=1y')))).to.equal('400 INVALID_PARAMS period');
      expect(errorOf(await exchange.get(path(ABSENT_ID)))).to.equal('404 NOT_FOUND');
    });
  },
  { steady: true },
);
