import { expect } from 'chai';
import { budgetWindowStart } from '#actors/budget/budget-window';
import { DrainedRegions } from '#edge/budgets/drained-regions';
import { ExhaustionReporter } from '#edge/budgets/exhaustion';
import { HeldBudget } from '#edge/budgets/held-budget';
import { needOf } from '#edge/budgets/region/ask-home';
import { newRegionBudget } from '#edge/budgets/region/region-budget';
import { SaleRate } from '#edge/budgets/sale-rate';
import { SILENT } from '#runtime/node/logger';
import { CENT, LeasingEdge, LeasingRegion, LeasingWorld, settled } from './leasing.ts';

/** Four minutes into a budget window. */
const LATE_IN_WINDOW = Date.UTC(2026, 2, 14, 9, 4);
/** Within the window, and longer than any wait. */
const SET_BACK_MS = 180_000;

/** Passes time, second by second, in each of which an edge sells what it can of so many impressions. */
async function sellFor(world: LeasingWorld, edge: LeasingEdge, seconds: number, each = 4): Promise<number> {
  let sold = 0;
  for (let second = 0; second < seconds; second++) {
    for (let n = 0; n < each; n++) {
      if (edge.sell(CENT)) sold += 1;
      await settled();
    }
    world.actors.nowMs += 1_000;
    edge.tick();
    await settled();
  }
  return sold;
}

describe('budgets at an edge whose wall clock is set back within a window', () => {
  it('are leased on', async () => {
    const world = new LeasingWorld(LATE_IN_WINDOW, 100_000);
    const edge = new LeasingEdge(world);
    expect(await sellFor(world, edge, 10), 'sold before').to.be.above(30);
    edge.skewMs = -SET_BACK_MS;
    expect(await sellFor(world, edge, 30)).to.equal(30 * 4);
  });

  it('are leased on after a request whose outcome is unknown', async () => {
    const world = new LeasingWorld(LATE_IN_WINDOW, 100_000);
    const edge = new LeasingEdge(world);
    await sellFor(world, edge, 10);
    world.actors.fate = () => 'lost';
    await sellFor(world, edge, 10, 20);
    expect(edge.leases.failures).to.be.above(0);
    world.actors.fate = () => 'answered';
    edge.skewMs = -SET_BACK_MS;
    expect(await sellFor(world, edge, 10), 'but for the first second').to.be.at.least(9 * 4);
  });

  it('are asked for again after a wait that is no longer than the longest, where there was too little', async () => {
    const world = new LeasingWorld(LATE_IN_WINDOW, 100);
    const [one, other] = [1, 2].map((n) => new LeasingEdge(world, { name: `edge-${n}` }));
    await sellFor(world, one!, 1, 2);
    while ((await sellFor(world, other!, 1)) > 0);
    await one!.close();
    other!.skewMs = -SET_BACK_MS;
    expect(await sellFor(world, other!, 20)).to.be.above(0);
  });

  it('are leased on in a region after home did not answer', async () => {
    const world = new LeasingWorld(LATE_IN_WINDOW, 100_000);
    const region = new LeasingRegion('fra');
    const edge = new LeasingEdge(world, { name: 'fra-1', region });
    await sellFor(world, edge, 10);
    region.isCutOff = true;
    while ((await sellFor(world, edge, 1, 100)) > 0);
    expect(edge.lender!.failures).to.be.above(0);
    region.isCutOff = false;
    edge.skewMs = -SET_BACK_MS;
    expect(await sellFor(world, edge, 30)).to.be.at.least(25 * 4);
  });

  it('are asked for at home again after a region had too little', async () => {
    const world = new LeasingWorld(LATE_IN_WINDOW, 100);
    const home = new LeasingEdge(world, { name: 'home' });
    const edge = new LeasingEdge(world, { name: 'fra-1', region: new LeasingRegion('fra') });
    await sellFor(world, edge, 1, 1);
    for (let second = 0; second < 20; second++) await sellFor(world, home, 1, 8);
    while ((await sellFor(world, edge, 1)) > 0);
    const asks = edge.lender!.asks;
    edge.skewMs = -SET_BACK_MS;
    await sellFor(world, edge, 20);
    expect(edge.lender!.asks).to.be.above(asks);
  });

  it('are leased ahead for a region that did so an hour later by that clock', () => {
    const limits = { dailyNanos: 10_000 * CENT, totalNanos: 0, sinceMs: 0, revision: 1 };
    const slotMs = budgetWindowStart(LATE_IN_WINDOW);
    const enough = { slotMs, closedNanos: 50 * CENT, grants: [], grantedNanos: 900 * CENT, closed: false };
    const state = { ...newRegionBudget('fra', limits), toldRevision: 1, slots: [enough] };
    const request = { edge: 'fra-1', number: 1, limits, holdings: [], slotMs, wantNanos: CENT, leastNanos: CENT };
    const need = (aheadAskedAtMs: number) => needOf({ ...state, aheadAskedAtMs }, request, LATE_IN_WINDOW, 0);
    expect(need(LATE_IN_WINDOW - 1_000)).to.equal(null);
    expect(need(LATE_IN_WINDOW + 3_600_000)).to.equal('beside');
  });

  it('are not sold beyond', async () => {
    const world = new LeasingWorld(LATE_IN_WINDOW, 100);
    const edges = [1, 2].map((n) => new LeasingEdge(world, { name: `edge-${n}` }));
    let sold = 0;
    for (let second = 0; second < 60; second++) {
      if (second === 5) edges[0]!.skewMs = -SET_BACK_MS;
      if (second === 10) edges[1]!.skewMs = -2 * SET_BACK_MS;
      for (const edge of edges) sold += await sellFor(world, edge, 1);
    }
    expect(sold).to.be.within(90, 100);
  });

  it('are checked for being spent', async () => {
    let checks = 0;
    const store = {
      load: async () => {
        checks += 1;
        return [];
      },
    };
    const { messenger } = new LeasingWorld(LATE_IN_WINDOW, 0).actors;
    const reporter = new ExhaustionReporter({ store, messenger, logger: SILENT });
    const limits = { dailyNanos: CENT, totalNanos: 0, sinceMs: 0, revision: 1 };
    const holder = { scope: 'campaign', id: 'campaign-1', sandbox: false, sandboxGeneration: 0 } as const;
    const held = new HeldBudget({ id: 'campaign:campaign-1', holder, limits }, LATE_IN_WINDOW);
    for (const atMs of [0, 999, 1_000 - SET_BACK_MS, 1_999 - SET_BACK_MS]) {
      reporter.onShortfall(held, LATE_IN_WINDOW + atMs);
      await settled();
    }
    expect(checks, 'one before, one after').to.equal(2);
  });

  it('are opened with what is read of other regions each minute', async () => {
    let [nowMs, monotonicMs, reads] = [LATE_IN_WINDOW, 0, 0];
    const clock = { now: () => nowMs, monotonic: () => monotonicMs, after: () => () => undefined };
    const regions = new DrainedRegions(async () => {
      reads += 1;
      return nowMs;
    }, clock);
    void regions.throughMs;
    nowMs -= SET_BACK_MS;
    monotonicMs += 59_999;
    void regions.throughMs;
    expect(reads).to.equal(1);
    monotonicMs += 1;
    void regions.throughMs;
    expect(reads).to.equal(2);
  });

  it('are leased by the rate of sales, not by all that was sold meanwhile', () => {
    const rate = new SaleRate(LATE_IN_WINDOW);
    for (let second = 0; second < 60; second++) {
      rate.addSale(CENT);
      rate.nanosPerMs(LATE_IN_WINDOW - SET_BACK_MS + second * 1_000);
    }
    expect(rate.nanosPerMs(LATE_IN_WINDOW - SET_BACK_MS + 60_000)).to.be.at.most((3 * CENT) / 1_000);
  });
});
