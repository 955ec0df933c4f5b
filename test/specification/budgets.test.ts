import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';
import { againstExchange } from './against-exchange.ts';
import { campaignOf, type DelegateMarket, delegateMarket, type Sold } from './delegate-market.ts';
import { shows } from './shows.ts';

const DAY_MS = 86_400_000;
/** When plans of a day's spend have come to what may be spent of it. */
const HALF_AN_HOUR_MS = 1_800_000;
/** So often in vain, with so long in between, and an edge has had the time to lease whatever there is. */
const IN_VAIN = 8;
const LEASE_MS = 200;

/** At 10 CPM an impression is a cent. */
const costly = (id: string, budget: object) => campaignOf(id, { bidding: { base_cpm: 10 }, budget });

describe('specification: budgets, half an hour before midnight', () => {
  const days = new ShiftedClock();
  const midnightMs = (Math.floor(Date.now() / DAY_MS) + 2) * DAY_MS;
  before(() => days.moveTo(midnightMs - HALF_AN_HOUR_MS));
  after(() => days.restore());

  againstExchange(
    'budgets',
    (exchange) => {
      const show = async (sold: readonly Sold[]): Promise<number> => {
        for (const { burl } of sold) expect((await fetch(burl)).status).to.equal(200);
        return sold.length;
      };
      /**
       * Shows whatever is sold: `atLeast` impressions, however long leases take, and then until nothing is sold any
       * more.
       */
      const sellOut = async (sell: () => Promise<readonly Sold[]>, atLeast = 1): Promise<number> => {
        let shown = 0;
        while (shown < atLeast) {
          const some = await eventually(`a sale after ${shown} of ${atLeast}`, async () => {
            const sold = await sell();
            return sold.length > 0 ? sold : null;
          });
          shown += await show(some);
        }
        for (let inVain = 0; inVain < IN_VAIN; ) {
          const sold = await sell();
          shown += await show(sold);
          inVain = sold.length === 0 ? inVain + 1 : 0;
          if (inVain > 0) await pause(LEASE_MS);
        }
        return shown;
      };
      const campaignOn = async (market: DelegateMarket, budget: object): Promise<string> =>
        market.campaign(await market.delegate(), costly('limited', budget));
      const shownAs = async (id: string) => {
        const { status, paused_by } = (await exchange.get(`/api/campaigns/${id}`)).body;
        return { status, paused_by };
      };
      /** While there is demand: it is seen by an edge that would bid. */
      const pausedBy = async (market: DelegateMarket, id: string, by: string) => {
        const sold: Sold[] = [];
        await eventually(
          `the campaign to be paused by its ${by}`,
          async () => {
            sold.push(...(await market.sold()));
            const { status, paused_by } = await shownAs(id);
            return status === 'paused' && paused_by === by;
          },
          { timeoutMs: 60_000, everyMs: 200 },
        );
        expect(sold, 'of a budget that is spent').to.deep.equal([]);
      };
      const listed = async (status: string, id: string): Promise<boolean> => {
        const { body } = await exchange.get(`/api/campaigns?status=${status}&per_page=200`);
        expect(body.total).to.equal(body.campaigns.length);
        return body.campaigns.some((campaign: { id: string }) => campaign.id === id);
      };

      shows('demand.daily_budget.stops', async () => {
        const market = await exchange.market({ bidders: [{ script: bids({ price: 10 }) }] });
        const [bidder] = market.bidders as [(typeof market.bidders)[0]];
        const path = `/api/demand/dsp/${bidder.dspId}/budget`;
        expect((await exchange.call('PUT', path, { daily_budget_cents: 12 })).status).to.equal(200);
        // Where there may be other edges, a first limit waits until all have told what they sold without one.
        const known = async () => {
          await market.ask();
          return (await exchange.get(path)).body.reserved_cents > 0;
        };
        await eventually('the edge to know of the budget', known, { timeoutMs: 60_000 });
        const sell = async () => {
          const { status, body } = await market.ask();
          return status === 204 ? [] : body.seatbid.flatMap(({ bid }: { bid: Sold[] }) => bid);
        };
        expect(await sellOut(sell)).to.be.at.most(12);
        await eventually('nothing to be sold any more, and the bidder not even to be asked', async () => {
          const asked = bidder.received.length;
          for (let request = 0; request < 5; request++) if ((await sell()).length > 0) return false;
          return bidder.received.length === asked;
        });
        const { body } = await exchange.get(path);
        expect(body.spent_today_cents + body.reserved_cents).to.be.within(12, 13);
        expect(body.remaining_cents).to.equal(0);
        const { body: health } = await exchange.get(`/api/demand/sources/${bidder.dspId}/health`);
        expect(health.daily_budget_remaining_cents).to.equal(0);
      });

      shows(['demand.daily_budget.unlimited', 'limit.daily-budget'], async () => {
        const market = await exchange.market({ bidders: [{ script: bids({ price: 1_000 }) }] });
        // On a busy machine a bidder is too late now and then.
        for (let sold = 0; sold < 50; ) {
          const { status, body } = await market.ask();
          if (status === 204) continue;
          await show(body.seatbid[0].bid);
          sold += 1;
        }
        const { body } = await exchange.get(`/api/demand/dsp/${market.bidders[0]!.dspId}/budget`);
        expect(body).to.include({ daily_budget_cents: 0, reserved_cents: 0, remaining_cents: null });
      });

      shows('campaign.budget.total', async () => {
        const market = await delegateMarket(exchange);
        const id = await campaignOn(market, { total_cents: 20 });
        expect(await sellOut(() => market.sold(), 20)).to.equal(20);
        await pausedBy(market, id, 'total_budget');
        expect([await listed('active', id), await listed('paused', id)]).to.deep.equal([false, true]);
        const { body } = await exchange.get(`/api/campaigns/${id}/performance?period=today`);
        expect(body.budget).to.include({ total_cents: 20, remaining_total_cents: 0, remaining_today_cents: null });
        const raised = await exchange.call('PUT', `/api/campaigns/${id}`, { budget: { total_cents: 25 } });
        expect(raised.body).to.include({ status: 'active', paused_by: null });
        expect(await sellOut(() => market.sold(), 5)).to.equal(5);
      });

      it('reads paused soon after the impression that spends its budget, though no further request comes', async () => {
        const market = await delegateMarket(exchange);
        // What one publisher may hold unrendered, a few impressions at least.
        const id = await campaignOn(market, { total_cents: 4 });
        const sold: Sold[] = [];
        await eventually('all of it to be sold', async () => {
          sold.push(...(await market.sold()));
          expect(sold.length).to.be.at.most(4);
          return sold.length === 4;
        });
        expect(await shownAs(id)).to.deep.equal({ status: 'active', paused_by: null });
        const [last, ...others] = sold;
        await show(others);
        expect(await shownAs(id), 'the last may never be shown').to.deep.equal({ status: 'active', paused_by: null });
        await show([last!]);
        const paused = async () => (await shownAs(id)).paused_by === 'total_budget';
        await eventually('it to be paused', paused, { timeoutMs: 25_000, everyMs: 200 });
      });

      // The last: they go over midnight.
      shows(
        [
          'campaign.budget.daily',
          'strategy.pacing.95',
          'strategy.daily-budget-pauses',
          'state.campaign.exhausted',
          'strategy.midnight',
          'state.campaign.midnight',
          'limit.daily-budget',
        ],
        async () => {
          const market = await delegateMarket(exchange);
          const id = await campaignOn(market, { daily_cents: 20 });
          expect(await sellOut(() => market.sold(), 19), '95 per cent').to.equal(19);
          await pausedBy(market, id, 'daily_budget');
          expect([await listed('active', id), await listed('paused', id)]).to.deep.equal([false, true]);
          const byHand = await delegateMarket(exchange);
          const other = await campaignOn(byHand, { daily_cents: 20 });
          await byHand.wins('limited');
          expect((await exchange.call('POST', `/api/campaigns/${other}/pause`)).status).to.equal(200);

          const source = await delegateMarket(exchange);
          const dspId = await source.delegate({ daily_budget_cents: 15 });
          await source.campaign(dspId, campaignOf('unlimited', { bidding: { base_cpm: 10 } }));
          expect(await sellOut(() => source.sold(), 15)).to.equal(15);
          const budget = () => exchange.get(`/api/demand/dsp/${dspId}/budget`).then(({ body }) => body);
          expect(await budget()).to.include({ remaining_cents: 0, resets_at: new Date(midnightMs).toISOString() });

          days.moveTo(midnightMs - 1_000);
          await eventually('midnight', () => Date.now() >= midnightMs);
          // No job has run.
          expect(await shownAs(id)).to.deep.equal({ status: 'active', paused_by: null });
          expect(await shownAs(other)).to.deep.equal({ status: 'paused', paused_by: 'hand' });
          expect([await listed('active', id), await listed('paused', other)]).to.deep.equal([true, true]);
          expect(await budget()).to.include({ spent_today_cents: 0, daily_budget_cents: 15 });
          expect(await sellOut(() => source.sold(), 15)).to.equal(15);
          // Its plan begins anew too: of a day that has just begun, next to nothing is to be spent yet.
          expect(await sellOut(() => market.sold())).to.be.within(1, 4);
          expect(await byHand.sold()).to.deep.equal([]);
        },
      );
    },
    { pairs: ['embedded'], environment: { MAX_REQUESTS_PER_SECOND_PER_DEVICE: '0' } },
  );
});
