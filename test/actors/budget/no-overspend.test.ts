import { expect } from 'chai';
import fc from 'fast-check';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '#actors/budget/budget-window';
import { BudgetWorld } from './budget-world.ts';

const MINUTE_MS = 60_000;

/** Two numbers that say how an action is done. */
type Act = (world: BudgetWorld, a: number, b: number) => void;

const pick = <T>(from: readonly T[], by: number): T | undefined => from[by % Math.max(1, from.length)];

const ask: Act = (world, a, b) => {
  const edge = pick(world.edges, a);
  if (edge === undefined) return;
  edge.limits = world.limits;
  world.ask(edge, 1 + (b % 400), 1 + (a % 20));
};

const exchange: Act = (world, a, b) => {
  ask(world, a, b);
  world.deliver(world.requests.length - 1);
  world.hear(world.replies.length - 1);
};

/** How often each is done, and what. */
const ACTIONS: readonly (readonly [number, Act])[] = [
  [30, exchange],
  [6, ask],
  [4, (world, a, b) => pick(world.edges, a) && world.ask(pick(world.edges, a)!, 1 + b, 1)],
  [
    2,
    (world, a, b) => {
      const edge = pick(world.edges, a);
      if (edge) world.ask(edge, 50, 1, budgetWindowStart(world.clockOf(edge)) + ((b % 7) - 3) * BUDGET_WINDOW_MS);
    },
  ],
  [6, (world, a) => world.deliver(a % Math.max(1, world.requests.length))],
  [3, (world, a) => world.deliver(a % Math.max(1, world.requests.length), true)],
  [3, (world, a) => world.requests.splice(a % Math.max(1, world.requests.length), 1)],
  [6, (world, a) => world.hear(a % Math.max(1, world.replies.length))],
  [2, (world, a) => world.hear(a % Math.max(1, world.replies.length), true)],
  [3, (world, a) => world.replies.splice(a % Math.max(1, world.replies.length), 1)],
  [
    40,
    (world, a, b) => {
      const edge = pick(world.edges, a);
      for (let n = 0; edge && n < 1 + (b % 12); n++)
        world.sell(edge, 1 + ((a + n) % 25), b % 5 === 0 ? null : b / 1_000);
    },
  ],
  [8, (world, a) => pick(world.edges, a) && world.closeOld(pick(world.edges, a)!)],
  [12, (world, a) => world.pass(a * 300)],
  [3, (world, a) => world.pass((a % 60) * MINUTE_MS)],
  [1, (world, a) => world.pass((a % 3) * 60 * MINUTE_MS)],
  [2, (world, a) => world.edges.splice(a % Math.max(1, world.edges.length), 1)],
  [3, (world, a) => world.edges.length < 5 && world.addEdge(((a % 13) - 6) * MINUTE_MS)],
  [5, (world, a) => world.settle(world.nowMs - (a % 3) * MINUTE_MS)],
  [1, (world, a, b) => world.limit(a, a === 0 ? 1 + b : 3 * b)],
  [2, (world) => world.open()],
  [1, (world) => world.beginAnew()],
  [
    2,
    (world, a, b) => {
      world.beginAnew(1 + (a % 4), b % 300, a / 999);
      world.open();
    },
  ],
];

const wheel = ACTIONS.flatMap(([times, act]) => Array.from({ length: times }, () => act));
const number = fc.nat(999);
const script = fc.array(fc.tuple(fc.nat(wheel.length - 1), number, number), {
  minLength: 50,
  maxLength: 500,
  size: 'max',
});

describe('a budget among edges that fail', () => {
  it('is never overspent, by the day of the sale and in all', () => {
    let billed = 0;
    let settled = 0;
    fc.assert(
      fc.property(fc.nat(60), fc.nat(1_000), fc.nat(2_000), script, (minute, daily, total, acts) => {
        const none = daily === 0 && total === 0;
        const world = new BudgetWorld(Date.UTC(2026, 5, 1) + (23 * 60 + 10 + minute) * MINUTE_MS, {
          dailyNanos: none ? 100 : daily,
          totalNanos: total,
        });
        for (const skewMs of [0, 2 * MINUTE_MS, -4 * MINUTE_MS]) world.addEdge(skewMs);
        for (const edge of world.edges) world.ask(edge, 100, 1);
        world.open();
        world.calm();
        for (const [which, a, b] of acts) {
          wheel[which]!(world, a, b);
          world.check();
        }
        world.calm();
        // An edge that finds the budget unopened opens it: again where that was lost.
        world.open();
        world.calm();
        world.pass(4 * 60 * MINUTE_MS);
        world.check();
        world.settle();
        world.calm();
        expect(world.state.slots, 'all is settled in the end').to.deep.equal([]);
        expect(world.state.oldestSlotMs).to.equal(null);
        billed += world.billedInAll;
        settled += world.state.settledNanos;
        expect(world.state.settledNanos, 'what is settled is what was billed').to.equal(world.billedInAll);
      }),
      { numRuns: 300, interruptAfterTimeLimit: 30_000 },
    );
    expect(billed, 'something was spent').to.be.above(0);
    expect(settled).to.equal(billed);
  });
});
