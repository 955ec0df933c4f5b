import { expect } from 'chai';
import fc from 'fast-check';
import { utcDay } from '#actors/ledger/ledger-id';
import { CENT, type Fate, LeasingEdge, LeasingWorld, settled } from './leasing.ts';

const BEFORE_NOON = Date.UTC(2026, 2, 14, 11, 3);
const BEFORE_MIDNIGHT = Date.UTC(2026, 2, 14, 23, 52);
const DAILY_CENTS = 120;
const TOTAL_CENTS = 160;

type Step =
  | { readonly do: 'sell'; readonly edge: number; readonly cents: number; readonly kept: boolean }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'fates'; readonly fates: readonly Fate[] }
  | { readonly do: 'arrive' }
  | { readonly do: 'kill'; readonly edge: number }
  | { readonly do: 'stop'; readonly edge: number };

const edge = fc.nat(2);
const fate = fc.constantFrom<Fate>('answered', 'answered', 'answer-lost', 'lost', 'late');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      edge,
      cents: fc.integer({ min: 1, max: 5 }),
      kept: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(100, 1_000, 7_000, 61_000, 301_000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fates' as const), fates: fc.array(fate, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('arrive' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), edge }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), edge }) },
);

const limitStep = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('sell' as const), edge, cents: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('limit' as const),
      cents: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1_000, 21_000, 301_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), edge }) },
);

describe('what edges sell on leases', () => {
  it('is never more than a day’s budget, nor than the total: whatever is lost, late, killed, or on a clock that is off', async () => {
    let mostCents = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 160 }), async (steps) => {
        const world = new LeasingWorld(BEFORE_MIDNIGHT, DAILY_CENTS);
        const campaign = world.campaign({ total_cents: TOTAL_CENTS });
        const all: LeasingEdge[] = [];
        const begin = (at: number) => {
          const begun = new LeasingEdge(world, { name: `edge-${at}-${all.length}`, skewMs: [0, 20_000, -20_000][at]! });
          all.push(begun);
          return begun;
        };
        const edges = [0, 1, 2].map(begin);
        for (const each of steps) {
          switch (each.do) {
            case 'sell': {
              const seller = edges[each.edge]!;
              // Bids of several impressions at once, of which the last may come to nothing.
              let sold = false;
              for (let n = 0; n < 6; n++) sold = seller.sell(each.cents * CENT, campaign, true);
              if (sold && !each.kept) seller.unsell(each.cents * CENT, campaign);
              break;
            }
            case 'pass':
              world.actors.nowMs += each.ms;
              for (const one of edges) one.tick();
              break;
            case 'fates': {
              let turn = 0;
              world.actors.fate = () => each.fates[turn++ % each.fates.length]!;
              break;
            }
            case 'arrive':
              world.actors.arrive();
              break;
            case 'kill':
              edges[each.edge] = begin(each.edge);
              break;
            case 'stop':
              await edges[each.edge]!.leases.close();
              edges[each.edge] = begin(each.edge);
              break;
          }
          await settled();
        }
        const days = new Set(all.flatMap(({ soldNanos }) => [...soldNanos.keys()]));
        for (const day of days) {
          const nanos = all.reduce((sum, { soldNanos }) => sum + (soldNanos.get(day) ?? 0), 0);
          expect(nanos / CENT, `${day} of ${utcDay(world.actors.nowMs)}`).to.be.at.most(DAILY_CENTS);
        }
        const cents = all.reduce((sum, one) => sum + one.soldInAll(), 0) / CENT;
        expect(cents).to.be.at.most(TOTAL_CENTS);
        mostCents = Math.max(mostCents, cents);
      }),
      { numRuns: 60 },
    );
    expect(mostCents, 'and much of it in some').to.be.above(DAILY_CENTS / 2);
  });

  it('counts unrendered sales from before the limit, also those of edges that have died since', async () => {
    let underLimit = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(limitStep, { minLength: 20, maxLength: 80 }), async (steps) => {
        const world = new LeasingWorld(BEFORE_NOON, 0);
        const all: LeasingEdge[] = [];
        const begin = (at: number) => {
          const begun = new LeasingEdge(world, { name: `edge-${at}-${all.length}` });
          all.push(begun);
          return begun;
        };
        const edges = [0, 1, 2].map(begin);
        const soldCents = () => all.reduce((sum, one) => sum + one.soldInAll(), 0) / CENT;
        // What the present limit allows: what was sold or leased when it came cannot be taken back.
        let allowedCents = Number.POSITIVE_INFINITY;
        for (const each of steps) {
          if (each.do === 'limit') {
            // No two changes of one holder are saved in the same millisecond.
            world.actors.nowMs += 1;
            world.limit(each.cents);
            const leased = [...world.actors.states.values()].flatMap(({ slots }) =>
              slots.flatMap(({ grants }) => grants),
            );
            const grantedCents = leased.reduce((sum, { nanos }) => sum + nanos, 0) / CENT;
            allowedCents =
              each.cents === 0 ? Number.POSITIVE_INFINITY : Math.max(each.cents, soldCents() + grantedCents);
          } else if (each.do === 'sell') {
            for (let n = 0; n < 4; n++) {
              edges[each.edge]!.sell(each.cents * CENT, null, true);
              await settled();
            }
          } else if (each.do === 'kill') {
            edges[each.edge] = begin(each.edge);
          } else {
            world.actors.nowMs += each.ms;
            for (const one of edges) one.tick();
          }
          await settled();
          expect(soldCents(), `limit ${world.dsp.dailyBudgetCents}`).to.be.at.most(allowedCents);
          if (all.some(({ soldUnleased }) => soldUnleased > 0) && soldCents() === world.dsp.dailyBudgetCents)
            underLimit += 1;
        }
      }),
      { numRuns: 400 },
    );
    expect(underLimit, 'limits that came later were spent to the last').to.be.above(0);
  });
});
