import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bids, type Script, silent, status } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { againstExchange } from './against-exchange.ts';
import type { Market, MarketBidder } from './market.ts';
import { shows } from './shows.ts';

/** Few enough that no healthy bidder is late for it, however busy the machine is. */
const AT_ONCE = 5;

againstExchange('bidders that fail', (exchange) => {
  const opened = (...scripts: readonly Script[]) => exchange.market({ bidders: scripts.map((script) => ({ script })) });
  const timed = async (market: Market, fields: Record<string, unknown> = {}) => {
    const startedMs = performance.now();
    const answer = await market.ask(fields);
    return { answer, tookMs: performance.now() - startedMs };
  };
  /** Of a few, since the machine may have been busy otherwise. */
  const fastest = async (market: Market) => {
    const attempts = [];
    for (let attempt = 0; attempt < 5; attempt++) attempts.push(await timed(market));
    return attempts.sort((a, b) => a.tookMs - b.tookMs)[0]!;
  };

  shows(['overview.mode.rtb.150ms', 'limit.bidder-timeout'], async () => {
    const slow: Script = (received, response) => {
      const timer = setTimeout(() => bids({ price: 9 })(received, response), 1_000);
      response.on('close', () => clearTimeout(timer));
    };
    const market = await opened(slow, bids({ price: 1 }));
    const { answer, tookMs, asked } = await eventually('the other bidder in time beside the slow one', async () => {
      const id = randomUUID();
      const one = await timed(market, { id, tmax: 5_000 });
      const asked = market.bidders[0]!.asked(id);
      return asked && one.answer.status === 200 && one.tookMs < 900 ? { ...one, asked } : null;
    });
    expect(answer.body.seatbid[0].bid[0].price).to.equal(1);
    expect(tookMs).to.be.at.least(140);
    expect(asked.body.tmax).to.be.at.most(150);
  });

  shows('edge.post.204.timeout', async () => {
    const market = await opened(silent());
    const answer = await market.ask();
    expect([answer.status, answer.body]).to.deep.equal([204, '']);
  });

  shows('error.503.AUCTION_TIMEOUT', async () => {
    // The bidder shares the exchange's process, and holds it up.
    const hog: Script = (received, response) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
      bids({ price: 9 })(received, response);
    };
    const market = await opened(hog);
    const answer = await market.ask();
    expect([answer.status, answer.body.error?.code]).to.deep.equal([503, 'AUCTION_TIMEOUT']);
    expect(answer.body.error.request_id).to.be.a('string').and.not.equal('');
  });

  shows('demand.timeout_ms.used', async () => {
    const market = await exchange.market({ bidders: [{ script: silent(), dsp: { timeout_ms: 20 } }] });
    const { answer, tookMs } = await fastest(market);
    expect(answer.status).to.equal(204);
    expect(market.bidders[0]!.received.at(-1)!.body.tmax).to.be.at.most(20);
    expect(tookMs).to.be.below(150);
  });

  /** Resolves when the exchange says so: that one auction was held without the bidder may be chance. */
  const paused = (market: Market, { dspId }: MarketBidder) =>
    eventually(
      'the breaker to open',
      async () => {
        await Promise.all(Array.from({ length: AT_ONCE }, () => market.ask()));
        return (await exchange.get(`/api/demand/sources/${dspId}/health`)).body.circuit_breaker === 'open';
      },
      { timeoutMs: 60_000 },
    );

  for (const [ids, script] of [
    [['state.breaker.opens', 'state.breaker.others'], silent()],
    [['state.breaker.opens-on-errors'], status(500)],
  ] as const) {
    shows(ids, async () => {
      const market = await opened(script, bids({ price: 1 }));
      const [failing] = market.bidders as [MarketBidder];
      await paused(market, failing);
      const requests = Array.from({ length: 5 }, () => market.request());
      const tookMs = [];
      for (const request of requests) {
        const { answer, tookMs: took } = await timed(market, request);
        // The other one, too, may be late once.
        if (answer.status === 204) continue;
        expect(answer.body.seatbid[0].bid[0].price).to.equal(1);
        tookMs.push(took);
      }
      expect(requests.filter(({ id }) => failing.asked(id))).to.deep.equal([]);
      expect(Math.min(...tookMs), 'the others need not wait for it').to.be.below(140);
    });
  }
});
