import { expect } from 'chai';
import { bids, silent, status } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, callJson, startTestExchange, type TestExchange } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf, TIMESTAMP } from './against-exchange.ts';
import { campaignOf, delegateMarket } from './delegate-market.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

/** More than the breaker wants to see before it judges. */
const BURST = 30;
/** Calls a second, by all edges. */
const LIMIT = 20;
/** Requests under way at each edge: one at a time is too few on a busy machine. */
const LANES = 4;
/** Until the edges know of each other, and how long calls are then counted. */
const SETTLING_MS = 7_000;
const COUNTED_MS = 8_000;

/** Specification, "Limits": demand health is live. */
const LIVE_MS = 5_000;

type Health = Answer['body'];

againstExchange(
  'health of demand sources',
  (exchange) => {
    const healthOf = async (dspId: string): Promise<Health> => {
      const answer = await exchange.get(`/api/demand/sources/${dspId}/health`);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      return answer.body;
    };
    /** The first health that is as it should be, and how long it took to come. */
    const live = async (what: string, dspId: string, holds: (health: Health) => boolean) => {
      const sinceMs = performance.now();
      let health: Health;
      await eventually(
        what,
        async () => {
          health = await healthOf(dspId);
          return holds(health);
        },
        { timeoutMs: 60_000, everyMs: 100 },
      );
      return { health, tookMs: performance.now() - sinceMs };
    };
    const burst = (market: Market) => Promise.all(Array.from({ length: BURST }, () => market.ask()));

    describe('of one that bids', () => {
      const terms = { daily_budget_cents: 500, qps_limit: 700 };
      let market: Market;
      let dspId: string;
      let idle: Health;
      let busy: Awaited<ReturnType<typeof live>>;
      let quiet: Awaited<ReturnType<typeof live>>;
      let answer: Answer;

      before(async () => {
        market = await exchange.market({ bidders: [{ script: bids({ price: 1 }), dsp: terms }] });
        dspId = market.bidders[0]!.dspId;
        const uncalled = { mode: 'rtb', endpoint_url: 'http://127.0.0.1:9/', daily_budget_cents: 0 };
        idle = await healthOf((await exchange.create('/api/demand/sources', uncalled)).id);

        const asking = new AbortController();
        const traffic = (async () => {
          while (!asking.signal.aborted) await market.ask();
        })();
        busy = await live('calls and a bid', dspId, (health) => health.qps_current > 0 && health.last_bid_at !== null);
        asking.abort();
        await traffic;
        quiet = await live('calls to cease', dspId, (health) => health.qps_current === 0);
        answer = await exchange.get(`/api/demand/sources/${dspId}/health`);
      });

      shows('demand.health.200', () => {
        expect(Object.keys(answer.body).sort()).to.deep.equal([
          'avg_latency_ms',
          'circuit_breaker',
          'daily_budget_remaining_cents',
          'error_rate_5m',
          'last_bid_at',
          'qps_current',
          'qps_limit',
          'timeout_rate_5m',
        ]);
      });
      shows('demand.health.circuit_breaker', () => {
        expect([idle.circuit_breaker, busy.health.circuit_breaker]).to.deep.equal(['closed', 'closed']);
      });
      shows('demand.health.qps_limit', () => {
        expect([idle.qps_limit, busy.health.qps_limit]).to.deep.equal([10_000, 700]);
      });
      shows('demand.health.qps_current', () => {
        expect(busy.health.qps_current).to.satisfy(Number.isInteger);
        expect(quiet.health.qps_current).to.equal(0);
      });
      shows('demand.health.avg_latency_ms', () => {
        expect(busy.health.avg_latency_ms).to.be.within(0.001, 150);
        expect(idle.avg_latency_ms, 'before any call').to.equal(0);
      });
      shows('demand.health.last_bid_at', () => {
        expect(idle.last_bid_at, 'before any bid').to.equal(null);
        expect(quiet.health.last_bid_at).to.match(TIMESTAMP);
        expect(Date.now() - Date.parse(quiet.health.last_bid_at)).to.be.within(0, 30_000);
      });
      shows('limit.demand-health', () => {
        for (const { tookMs } of [busy, quiet]) expect(tookMs).to.be.below(LIVE_MS);
      });
      shows('demand.health.daily_budget_remaining_cents', async () => {
        expect(idle.daily_budget_remaining_cents, 'unlimited').to.equal(null);
        const { burl } = await market.bid();
        expect((await callJson('GET', burl)).status).to.equal(200);
        // A tenth of a cent is spent, and edges hold more of the 500; what is left is what the budget says.
        await eventually(
          'the impression in the books',
          async () => {
            const { body: budget } = await exchange.get(`/api/demand/dsp/${dspId}/budget`);
            const health = await healthOf(dspId);
            expect(health.daily_budget_remaining_cents).to.be.within(0, 500);
            const left = Math.floor(budget.remaining_cents);
            return budget.spent_today_cents === 0.1 && left < 500 && health.daily_budget_remaining_cents === left;
          },
          { timeoutMs: 60_000, everyMs: 100 },
        );
      });
    });

    shows('demand.health.delegate', async () => {
      const market = await delegateMarket(exchange);
      const dspId = await market.delegate({ daily_budget_cents: 500 });
      await market.upload(dspId, [campaignOf('trading')]);
      await market.wins('trading');
      const { health } = await live('a bid', dspId, ({ last_bid_at }) => last_bid_at !== null);
      expect(health).to.include({ circuit_breaker: 'closed', timeout_rate_5m: 0, error_rate_5m: 0 });
      expect(Date.now() - Date.parse(health.last_bid_at)).to.be.within(-5_000, 90_000);
      expect(health.daily_budget_remaining_cents).to.be.within(0, 500);
    });

    describe('of those that do not answer well', () => {
      let slow: Awaited<ReturnType<typeof live>>;
      let failing: Awaited<ReturnType<typeof live>>;
      before(async () => {
        const market = await exchange.market({
          bidders: [{ script: bids({ price: 1 }) }, { script: bids({ price: 1 }) }],
        });
        const [one, other] = market.bidders as [(typeof market.bidders)[0], (typeof market.bidders)[0]];
        one.script = silent();
        other.script = status(500);
        await Promise.all(Array.from({ length: 5 }, () => market.ask()));
        slow = await live('timeouts', one.dspId, (health) => health.timeout_rate_5m > 0);
        failing = await live('errors', other.dspId, (health) => health.error_rate_5m > 0);
      });

      shows('demand.health.timeout_rate_5m', () => {
        expect(slow.health.timeout_rate_5m).to.be.within(0.3, 1);
        expect(slow.health.error_rate_5m).to.equal(0);
      });
      shows('demand.health.error_rate_5m', () => {
        expect(failing.health.error_rate_5m).to.be.within(0.3, 1);
        expect(failing.health.timeout_rate_5m).to.equal(0);
      });
    });

    describe('a reset', () => {
      let market: Market;
      let bidder: Market['bidders'][0];
      let answer: Answer;
      let reachedMs: number;
      let tripsMs: number;
      const reset = () => exchange.call('POST', `/api/demand/sources/${bidder.dspId}/reset`);
      const isOpen = (health: Health) => health.circuit_breaker === 'open';

      before(async () => {
        market = await exchange.market({ bidders: [{ script: silent() }] });
        bidder = market.bidders[0]!;
        await burst(market);
        await live('the breaker to open', bidder.dspId, isOpen);
        const paused = bidder.received.length;
        await burst(market);
        expect(bidder.received.length, 'while it is open').to.equal(paused);

        const sinceMs = performance.now();
        answer = await reset();
        await eventually('the edge to ask again', async () => {
          await market.ask();
          return bidder.received.length > paused;
        });
        reachedMs = performance.now() - sinceMs;
        await live('health to say so', bidder.dspId, (health) => health.circuit_breaker === 'closed');

        const trippingMs = performance.now();
        await burst(market);
        await live('the breaker to open again', bidder.dspId, isOpen);
        tripsMs = performance.now() - trippingMs;
      });

      shows(['demand.reset.200', 'state.breaker.reset'], () => {
        expect(answer.status).to.equal(200);
        expect(answer.body).to.have.all.keys('circuit_breaker', 'message');
        expect(answer.body.circuit_breaker).to.equal('closed');
        expect(reachedMs, 'until the edge follows').to.be.below(LIVE_MS);
      });
      shows('state.breaker.reset-trips-again', () => expect(tripsMs).to.be.below(LIVE_MS));
      shows('demand.reset.404', async () => {
        const { call } = exchange.running;
        expect(errorOf(await call('POST', `/api/demand/sources/${ABSENT_ID}/reset`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await call('POST', '/api/demand/sources/no-id/reset'))).to.equal('404 NOT_FOUND');
      });
    });
  },
  // Nothing of what is sold here in a second or two is rendered.
  { environment: { NEW_PUBLISHER_SHARE_PERCENT: '100' } },
);

againstExchange(
  'health over several edges',
  (exchange) => {
    let second: TestExchange;
    let worst: Health;
    let others: readonly string[];
    let limited: { readonly asked: number; readonly calls: number };
    before(async function () {
      const { PORT: _1, EDGE_PORT: _2, OPS_PORT: _3, DATA_DIR: _4, ...shared } = exchange.running.environment;
      const { PUBLIC_EDGE_URL: _5, PUBLIC_BASE_URL: _6, ...same } = shared;
      second = await startTestExchange(this, 'redis-mongodb', { ...same, ROLES: 'edge' });
      const market = await exchange.market({ bidders: [{ script: bids({ price: 1 }) }] });
      const [bidder] = market.bidders as [Market['bidders'][0]];
      const askSecond = () => callJson('POST', `${second.edgeUrl}/rtb`, market.request());
      await eventually('the second edge to auction', async () => (await askSecond()).status === 200);

      bidder.script = silent();
      await Promise.all(Array.from({ length: BURST }, askSecond));
      bidder.script = bids({ price: 1 });
      const statuses: string[] = [];
      worst = await eventually(
        'the one edge that is open',
        async () => {
          // The first edge's breaker is closed, and it says so: it goes on calling.
          expect((await market.ask()).status).to.equal(200);
          const { body } = await exchange.get(`/api/demand/sources/${bidder.dspId}/health`);
          statuses.push(body.circuit_breaker);
          return body.circuit_breaker === 'open' && body.qps_current > 0 && body;
        },
        { timeoutMs: 60_000, everyMs: 50 },
      );
      await exchange.call('POST', `/api/demand/sources/${bidder.dspId}/reset`);
      await eventually('a reset to reach the second edge', async () => (await askSecond()).status === 200, {
        timeoutMs: LIVE_MS,
      });
      others = statuses;

      await exchange.call('PUT', `/api/demand/sources/${bidder.dspId}`, { qps_limit: LIMIT });
      limited = await callsPerSecond(bidder, [() => market.ask(), askSecond]);
    });
    after(() => second?.stop());

    shows('demand.qps_limit.exchange', () => {
      expect(limited.asked, 'asked for by both').to.be.above(3 * LIMIT);
      expect(limited.calls).to.be.within(LIMIT * 0.8, LIMIT * 1.15);
    });
    shows('demand.health.worst-edge', () => {
      expect(worst.circuit_breaker).to.equal('open');
      expect(others.at(-1)).to.equal('open');
    });
  },
  { pairs: ['redis-mongodb'] },
);

/** Ad requests and calls of the bidder a second, while every edge is asked in so many lanes at once. */
async function callsPerSecond(bidder: Market['bidders'][0], edges: readonly (() => Promise<unknown>)[]) {
  const sinceMs = performance.now();
  let asked = 0;
  let calledBefore = 0;
  const askOn = async (ask: () => Promise<unknown>) => {
    for (;;) {
      const atMs = performance.now() - sinceMs;
      if (atMs >= SETTLING_MS + COUNTED_MS) return;
      if (atMs < SETTLING_MS) calledBefore = bidder.received.length;
      else asked += 1;
      await ask();
    }
  };
  await Promise.all(edges.flatMap((ask) => Array.from({ length: LANES }, () => askOn(ask))));
  const seconds = COUNTED_MS / 1_000;
  return { asked: asked / seconds, calls: (bidder.received.length - calledBefore) / seconds };
}
