import { expect } from 'chai';
import fc from 'fast-check';
import { PublisherShares } from '#edge/budgets/shares/publisher-shares';
import { toCatalogueCampaign } from '#edge/catalogue/kept-campaign';
import { SumTable } from '#runtime/expiring/sum-table';
import type { Clock } from '#runtime/ports/clock';
import type { ExpiringSums } from '#runtime/ports/expiring-sums';
import { makeCampaignProjection } from '../../support/campaign-projection.ts';
import { makeDspProjection } from '../../support/dsp-projection.ts';
import { bannerRequest, EdgeUnderTest } from '../../support/edge.ts';

const CENT = 10_000_000;
const HOUR_MS = 3_600_000;
const NEW_SHARE = 0.05;

/** Edges that share sums, a demand source with a daily budget, and time that a test moves. */
class World {
  nowMs = Date.UTC(2026, 2, 14, 11, 3);
  /** How far the edges' wall clocks are ahead. */
  skewMs = 0;
  readonly edges: PublisherShares[];
  readonly #table = new SumTable();
  readonly #dailyCents: number;

  constructor(edges: number, dailyCents: number, campaignBudget: { total_cents?: number } = {}) {
    this.#dailyCents = dailyCents;
    const campaign = toCatalogueCampaign(makeCampaignProjection('dsp-1', { id: 'campaign-1', budget: campaignBudget }));
    const clock: Clock = {
      now: () => this.nowMs + this.skewMs,
      monotonic: () => this.nowMs,
      after: () => () => undefined,
    };
    const sums: ExpiringSums = {
      add: async (changes) => changes.map((change) => this.#table.add(change, this.nowMs) !== null),
      read: async (keys) => keys.map((key) => this.#table.read(key, this.nowMs)),
    };
    const dsp = makeDspProjection({ id: 'dsp-1', endpointUrl: null, dailyBudgetCents: this.#dailyCents });
    const options = { sums, clock, dsp: () => dsp, campaign: () => campaign, newShare: NEW_SHARE };
    const isOnlyEdge = edges === 1;
    this.edges = Array.from(
      { length: edges },
      () => new PublisherShares({ ...options, renderWindowMs: 2 * HOUR_MS, isOnlyEdge }),
    );
  }

  sell(edge: number, publisherId: string, cents = 1): boolean {
    return this.edges[edge]!.reserve(publisherId, 'dsp-1', null, cents * CENT, this.nowMs + this.skewMs);
  }

  render(edge: number, publisherId: string, soldAtMs: number, cents = 1): void {
    const sale = { publisherId, dspId: 'dsp-1', campaignId: null, priceNanos: cents * CENT, soldAtMs, sandbox: false };
    this.edges[edge]!.onRendered(sale);
  }

  async exchange(): Promise<void> {
    for (let round = 0; round < 2; round++) for (const edge of this.edges) await edge.sync();
  }
}

describe('what a publisher holds of a budget unrendered', () => {
  it('is 5 % of it at most for one that renders nothing, however often it asks', async () => {
    const world = new World(1, 100);
    let sold = 0;
    for (let ms = 0; ms < 5_000; ms++) {
      world.nowMs += 1;
      if (world.sell(0, 'greedy')) sold += 1;
      if (ms % 1_000 === 0) await world.exchange();
    }
    expect(sold).to.equal(5);
    expect(world.sell(0, 'other'), 'another publisher').to.equal(true);
  });

  it('is free again when it is rendered, given back, or can be shown no more', async () => {
    const world = new World(1, 100);
    const soldAtMs = world.nowMs;
    for (let sale = 0; sale < 5; sale++) expect(world.sell(0, 'pub-1')).to.equal(true);
    expect(world.sell(0, 'pub-1')).to.equal(false);
    world.edges[0]!.release('pub-1', 'dsp-1', null, CENT, soldAtMs);
    expect(world.sell(0, 'pub-1'), 'one is given back').to.equal(true);
    expect(world.sell(0, 'pub-1')).to.equal(false);
    world.render(0, 'pub-1', soldAtMs);
    expect(world.sell(0, 'pub-1'), 'one is rendered').to.equal(true);
    world.nowMs += 3 * HOUR_MS;
    expect(world.sell(0, 'pub-1'), 'nothing of it can be shown').to.equal(true);
  });

  it('is some impressions of a budget that is no more than some', () => {
    const world = new World(1, 3);
    expect([1, 2, 3].map(() => world.sell(0, 'pub-1'))).to.deep.equal([true, true, true]);
  });

  it('lets a publisher that renders 40 % of what it wins, seconds later, sell a budget to its end', async () => {
    const world = new World(2, 1_000);
    const due: { readonly atMs: number; readonly soldAtMs: number }[] = [];
    let sold = 0;
    for (let second = 0; second < 3_000 && sold < 1_000; second++) {
      world.nowMs += 1_000;
      while (due.length > 0 && due[0]!.atMs <= world.nowMs) world.render(second % 2, 'pub-1', due.shift()!.soldAtMs);
      for (let ask = 0; ask < 10 && sold < 1_000; ask++) {
        if (!world.sell(ask % 2, 'pub-1')) continue;
        sold += 1;
        if (sold % 5 < 2) due.push({ atMs: world.nowMs + 4_000, soldAtMs: world.nowMs });
      }
      await world.exchange();
    }
    expect(sold).to.equal(1_000);
  });

  it('is bounded over all edges together, whichever sells, renders and learns of the others', async () => {
    const step = fc.record({
      do: fc.constantFrom('sell', 'sell', 'sell', 'render', 'exchange', 'pass'),
      edge: fc.nat(2),
      publisher: fc.nat(2),
      cents: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 300 }), async (steps) => {
        const world = new World(3, 400);
        const held = [0, 0, 0];
        const sales: { publisher: number; cents: number; soldAtMs: number }[] = [];
        for (const { do: action, edge, publisher, cents } of steps) {
          if (action === 'sell') {
            for (let ask = 0; ask < 5; ask++) {
              if (!world.sell(edge, `pub-${publisher}`, cents)) break;
              held[publisher]! += cents;
              sales.push({ publisher, cents, soldAtMs: world.nowMs });
            }
          } else if (action === 'render') {
            // The first publisher never renders.
            const at = sales.findIndex((sale) => sale.publisher !== 0);
            if (at === -1) continue;
            const [sale] = sales.splice(at, 1);
            world.render(edge, `pub-${sale!.publisher}`, sale!.soldAtMs, sale!.cents);
            held[sale!.publisher]! -= sale!.cents;
          } else if (action === 'exchange') await world.exchange();
          else world.nowMs += 900;
          // Each edge may have sold one impression more before it heard of the others.
          expect(held[0]).to.be.at.most(400 * NEW_SHARE + 3 * 3);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is exchanged on by edges whose wall clocks are set back', async () => {
    const world = new World(2, 1_000);
    world.sell(0, 'pub-1');
    world.sell(1, 'pub-1');
    await world.exchange();
    world.skewMs = -180_000;
    let sold = 2;
    for (let second = 0; second < 60; second++) {
      world.nowMs += 1_000;
      for (let ask = 0; ask < 10; ask++) if (world.sell(ask % 2, 'pub-1')) sold += 1;
      await world.exchange();
    }
    expect(sold).to.be.within(45, 51);
  });

  it('binds a publisher that rendered all when it renders no more', () => {
    const world = new World(1, 1_000);
    for (let sale = 0; sale < 100; sale++) {
      expect(world.sell(0, 'pub-1')).to.equal(true);
      world.render(0, 'pub-1', world.nowMs);
    }
    expect(world.edges[0]!.shareOf('pub-1')).to.equal(1);
    let held = 0;
    while (held < 1_000 && world.sell(0, 'pub-1')) held += 1;
    // 100 shown of 100 + held, and 20 that prove nothing: twice that is what is held.
    expect(held / 1_000).to.be.closeTo(200 / (120 + held), 0.01);
  });

  it('is remembered for no longer than it can be shown, of a publisher without a limit too', async () => {
    const world = new World(2, 100_000);
    const trade = async (hours: number) => {
      for (let quarter = 0; quarter < 4 * hours; quarter++) {
        world.nowMs += HOUR_MS / 4;
        for (let sale = 0; sale < 20; sale++) {
          if (world.sell(0, 'pub-1')) world.render(0, 'pub-1', world.nowMs);
        }
        await world.exchange();
      }
    };
    await trade(28);
    expect(world.edges[0]!.shareOf('pub-1')).to.equal(1);
    const held = world.edges[0]!.sumsHeld;
    // Two hours of half an hour each, a day of four hours each, and a bucket that begins; sold and shown.
    expect(held).to.be.at.most(2 * (4 + 1 + 6 + 1 + 2));
    await trade(48);
    expect(world.edges[0]!.sumsHeld).to.be.at.most(held);
  });

  it('is bounded of a campaign’s total too, by the same share', () => {
    const world = new World(1, 0, { total_cents: 200 });
    const campaign = toCatalogueCampaign(
      makeCampaignProjection('dsp-1', { id: 'campaign-1', budget: { total_cents: 200 } }),
    );
    let sold = 0;
    while (sold < 100 && world.edges[0]!.reserve('pub-1', 'dsp-1', campaign, CENT, world.nowMs)) sold += 1;
    expect(sold).to.equal(10);
  });

  it('costs only the bid that would hold more its auction, as publisher-share', async () => {
    const world = new World(1, 100);
    const exchange = await new EdgeUnderTest({ maxAuctionMs: 60_000 }).start();
    exchange.shares = world.edges[0];
    exchange.delegate([{ id: 'campaign-1', bidding: { base_cpm: 10 } }]);
    const statuses: number[] = [];
    for (let ask = 0; ask < 8; ask++) statuses.push((await exchange.post(bannerRequest())).status);
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 204, 204, 204]);
    exchange.publisher({ id: 'pub-2', domain: 'site.test' });
    expect((await exchange.post(bannerRequest({ site: { id: 'pub-2', page: 'https://site.test/' } }))).status).to.equal(
      200,
    );
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ 'losses/publisher-share': 3 });
    await exchange.close();
  });
});
