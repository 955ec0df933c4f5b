import { expect } from 'chai';
import fc from 'fast-check';
import { utcDay } from '#actors/ledger/ledger-id';
import { BudgetWorld, type Edge } from './budget-world.ts';

const SECOND_MS = 1_000;
/** Seconds for which the edges sell. */
const SECONDS = 1_200;
const BUDGET_NANOS = 1_000_000;
/** An impression of the dearest kind is a thousandth of the budget. */
const DEAREST_NANOS = 1_000;

/**
 * An edge with more demand than the budget can pay: sells until it cannot, then asks for more of what it could not pay.
 */
function sellAll(world: BudgetWorld, edge: Edge, priceNanos: number, mostImpressions: number): void {
  let sold = 0;
  while (sold < mostImpressions && world.sell(edge, priceNanos, 0)) sold += 1;
  world.closeOld(edge);
  edge.limits = world.limits;
  world.ask(edge, priceNanos * mostImpressions, priceNanos);
}

describe('a budget with three edges that could spend it many times over', () => {
  it('is spent to 97 per cent and more within the day, and never beyond', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 })),
        fc.array(fc.integer({ min: 100, max: DEAREST_NANOS }), { minLength: 20, maxLength: 60 }),
        fc.boolean(),
        (demands, prices, daily) => {
          const meanPrice = prices.reduce((sum, price) => sum + price, 0) / prices.length;
          const wanted = demands.reduce((sum, demand) => sum + demand, 0) * meanPrice * SECONDS;
          fc.pre(wanted >= 2 * BUDGET_NANOS);
          const limits = daily
            ? { dailyNanos: BUDGET_NANOS, totalNanos: 0 }
            : { dailyNanos: 0, totalNanos: BUDGET_NANOS };
          const world = new BudgetWorld(Date.UTC(2026, 5, 1, 6), limits);
          const edges = [0, 700, -900].map((skewMs) => world.addEdge(skewMs));
          for (const edge of edges) world.ask(edge, 1, 1);
          world.open();
          const shares = edges.map(() => 0);
          for (let second = 0; second < SECONDS; second++) {
            for (const [at, edge] of edges.entries()) {
              const before = [...edge.slots.values()].reduce((sum, { soldNanos }) => sum + soldNanos, 0);
              sellAll(world, edge, prices[(second + at) % prices.length]!, demands[at]!);
              const after = [...edge.slots.values()].reduce((sum, { soldNanos }) => sum + soldNanos, 0);
              shares[at] = shares[at]! + Math.max(0, after - before);
            }
            world.calm();
            world.pass(SECOND_MS);
          }
          world.check();
          const spent = world.billedOn(utcDay(world.nowMs));
          expect(spent)
            .to.be.at.least(0.97 * BUDGET_NANOS)
            .and.at.most(BUDGET_NANOS);
          // The edge that asks for the least gets its part, too.
          for (const share of shares) expect(share, 'each edge sells').to.be.above(0);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('gives an edge that begins late something too, while the others take what they can', () => {
    const world = new BudgetWorld(Date.UTC(2026, 5, 1, 6), { dailyNanos: BUDGET_NANOS, totalNanos: 0 });
    const greedy = [world.addEdge(0), world.addEdge(0)];
    world.ask(greedy[0]!, 1, 1);
    world.open();
    world.calm();
    for (let round = 0; round < 3; round++) {
      for (const edge of greedy) world.ask(edge, BUDGET_NANOS, DEAREST_NANOS);
      world.calm();
    }
    const late = world.addEdge(0);
    world.ask(late, BUDGET_NANOS, DEAREST_NANOS);
    world.calm();
    const [slot] = late.slots.values();
    expect(slot?.grantedNanos).to.be.at.least(DEAREST_NANOS);
  });
});
