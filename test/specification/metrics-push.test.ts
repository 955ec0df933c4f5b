import { expect } from 'chai';
import { MetricsClient, refusal } from '../gateways/live/metrics-client.ts';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { againstExchange, TIMESTAMP } from './against-exchange.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

againstExchange(
  'metrics pushed over a WebSocket',
  (exchange) => {
    let market: Market;
    let client: MetricsClient;
    const message = () => client.last;

    /** Forty imps at a CPM of 250: ten cents, when all are rendered. */
    before(async () => {
      market = await exchange.market({ bidders: [{ script: bids({ price: 250 }) }] });
      const { baseUrl, liveKey } = exchange.running;
      client = await MetricsClient.open(baseUrl, { Authorization: `Bearer ${liveKey}` });
      for (let number = 0; number < 40; number++) {
        const bid = await market.bid();
        if (number % 2 === 0) expect((await fetch(bid.burl)).status).to.equal(200);
      }
      await eventually('four messages', () => client.messages.length >= 4, { timeoutMs: 60_000 });
    });
    after(() => client?.end());

    shows(['ws.connect', 'auth.websocket'], () => expect(client.closed).to.equal(null));
    shows('ws.401', async () => {
      for (const headers of [{}, { Authorization: 'Bearer pk_live_of_nobody' }]) {
        const answer = await refusal(exchange.running.baseUrl, headers as Record<string, string>);
        expect(answer.status).to.equal(401);
        expect(answer.body.error).to.include({ code: 'UNAUTHORIZED' });
      }
    });
    shows(['ws.every-5s', 'limit.websocket'], () => {
      const gaps = client.messages.slice(1).map(({ atMs }, index) => atMs - client.messages[index]!.atMs);
      // The first message greets; the others come to all clients at once.
      expect(gaps.shift()).to.be.below(6_500);
      for (const gapMs of gaps) expect(gapMs).to.be.closeTo(5_000, 1_500);
    });
    shows('ws.type', () => expect(message().type).to.equal('metrics_update'));
    shows('ws.timestamp', () => {
      expect(message().timestamp).to.match(TIMESTAMP);
      expect(Math.abs(Date.parse(message().timestamp) - Date.now())).to.be.below(30_000);
    });
    shows('ws.rps', () => expect(message().rps).to.be.a('number').above(0));
    shows('ws.fill_rate_1m', () => expect(message().fill_rate_1m).to.be.within(0.01, 1));
    shows('ws.revenue_cents_1m', async () => {
      // Twenty impressions of 25 cents.
      await eventually('what was rendered', () => message().revenue_cents_1m === 500, { timeoutMs: 60_000 });
      expect(Object.keys(message())).to.deep.equal(['type', 'timestamp', 'rps', 'fill_rate_1m', 'revenue_cents_1m']);
    });
  },
  { pairs: ['embedded', 'redis-mongodb'], steady: true },
);
