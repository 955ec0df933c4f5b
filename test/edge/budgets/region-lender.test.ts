import { expect } from 'chai';
import fc from 'fast-check';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '#actors/budget/budget-window';
import { leasedNanos } from '#actors/budget/state';
import { decodeRegionBudget } from '#edge/budgets/region/region-budget-text';
import type { RegionLender } from '#edge/budgets/region/region-lender';
import type { RecordFate } from '../../support/memory-records.ts';
import { CENT, DSP, type Fate, LeasingEdge, LeasingRegion, LeasingWorld, settled } from './leasing.ts';

const BEFORE_MIDNIGHT = Date.UTC(2026, 2, 14, 23, 22);
const MORNING = Date.UTC(2026, 2, 14, 9);
/** The region closes a window that no edge holds so long after its end. */
const CLOSED_AFTER_MS = 15_000;
const MOST_SKEW_MS = 20_000;
const BUDGET_ID = `dsp:${DSP}`;

/** Passes time at all edges, second by second, each of which sells what it can of so many impressions a second. */
async function sellFor(world: LeasingWorld, edges: readonly LeasingEdge[], seconds: number, each: number) {
  let sold = 0;
  for (let second = 0; second < seconds; second++) {
    for (const edge of edges) for (let n = 0; n < each; n++) if (edge.sell(CENT)) sold += 1;
    await settled();
    world.actors.nowMs += 1_000;
    for (const edge of edges) edge.tick();
    await settled();
  }
  return sold;
}

/** Each window of each record: what edges hold and have sold, and what home has leased the region. */
function windowsOf(region: LeasingRegion, world: LeasingWorld) {
  return [...region.records.texts].flatMap(([id, { text }]) => {
    if (id.startsWith('!')) return [];
    const { name, slots } = decodeRegionBudget(text);
    const state = world.actors.states.get(id);
    return slots.map((window) => {
      const atHome = state?.slots.find(({ slotMs }) => slotMs === window.slotMs);
      const granted = atHome?.grants.find(({ edge }) => edge === name)?.nanos ?? 0;
      return { ...window, leased: leasedNanos(window), atHome: granted + (atHome?.closedNanos ?? 0) };
    });
  });
}

describe('the leases of a region', () => {
  it('are divided among its edges, and home is asked seldom', async () => {
    const world = new LeasingWorld(MORNING, 100_000);
    const region = new LeasingRegion('fra');
    const edges = [1, 2, 3, 4].map((n) => new LeasingEdge(world, { name: `fra-${n}`, region }));
    const sold = await sellFor(world, edges, 900, 4);
    expect(sold).to.be.above(900 * 4 * 4 * 0.97);
    const draws = edges.reduce((sum, { lender }) => sum + lender!.draws, 0);
    const asks = edges.reduce((sum, { lender }) => sum + lender!.asks, 0);
    expect(asks, `for ${draws} draws`).to.be.below(draws / 4);
    for (const { leased, grantedNanos } of windowsOf(region, world)) expect(leased).to.be.at.most(grantedNanos);
  });

  it('last for an hour without home, and for no longer', async () => {
    const world = new LeasingWorld(MORNING, 400_000);
    const region = new LeasingRegion('fra');
    const edges = [1, 2].map((n) => new LeasingEdge(world, { name: `fra-${n}`, region }));
    await sellFor(world, edges, 600, 2);
    const state = () => world.actors.states.get(BUDGET_ID)!;
    const ahead = state().slots.filter(({ slotMs }) => slotMs > budgetWindowStart(world.actors.nowMs));
    expect(ahead.length).to.be.at.least(6);
    region.isCutOff = true;
    const aheadOf = async (seconds: number) => sellFor(world, edges, seconds, 2);
    expect(await aheadOf(1_200), 'twenty minutes').to.be.above(1_200 * 2 * 2 * 0.9);
    await aheadOf(2_700);
    expect(await aheadOf(600), 'after an hour').to.equal(0);
    region.isCutOff = false;
    expect(await sellFor(world, edges, 60, 2), 'the link is back').to.be.above(60 * 2 * 2 * 0.6);
  }).timeout(20_000);

  it('are a fifth of what is free at most, ahead', async () => {
    const world = new LeasingWorld(MORNING, 4_000);
    const region = new LeasingRegion('fra');
    const edge = new LeasingEdge(world, { name: 'fra-1', region });
    await sellFor(world, [edge], 400, 2);
    const state = world.actors.states.get(BUDGET_ID)!;
    const currentMs = budgetWindowStart(world.actors.nowMs);
    const ahead = state.slots.filter(({ slotMs }) => slotMs > currentMs);
    const aheadNanos = ahead.reduce((sum, window) => sum + leasedNanos(window), 0);
    const freeNanos = world.actors.freeTodayNanos(BUDGET_ID)!;
    expect(aheadNanos).to.be.above(0);
    const soldSinceNanos = 2 * 60 * CENT;
    expect(aheadNanos).to.be.at.most((freeNanos + aheadNanos + soldSinceNanos) / 5);
  });

  it('leave a budget spent to its last impressions by home and two regions', async () => {
    const world = new LeasingWorld(MORNING, 3_000);
    const regions = [new LeasingRegion('fra'), new LeasingRegion('nyc')];
    const edges = [
      new LeasingEdge(world, { name: 'home-1' }),
      ...regions.flatMap((region) =>
        [1, 2].map((n) => new LeasingEdge(world, { name: `${region.name}-${n}`, region })),
      ),
    ];
    let sold = 0;
    for (let minutes = 0; minutes < 15 && sold < 3_000; minutes++) sold += await sellFor(world, edges, 60, 2);
    expect(sold).to.be.within(2_970, 3_000);
  });

  it('leave a small budget spent to its last impression within one window', async () => {
    const world = new LeasingWorld(MORNING, 95);
    const edge = new LeasingEdge(world, { name: 'fra-1', region: new LeasingRegion('fra') });
    let aheadNanos = 0;
    let sold = 0;
    for (let second = 0; second < 120; second++) {
      sold += await sellFor(world, [edge], 1, 8);
      const { slots } = world.actors.states.get(BUDGET_ID)!;
      for (const { slotMs, grants } of slots) if (slotMs > MORNING) aheadNanos += grants[0]?.nanos ?? 0;
    }
    expect(aheadNanos, 'leased ahead at some time').to.be.above(0);
    expect(sold).to.equal(95);
  });

  it('of many budgets are reported with the next draw, and home is asked once in half an hour for each', async () => {
    const world = new LeasingWorld(MORNING, 100_000);
    const region = new LeasingRegion('fra');
    const edges = [1, 2, 3, 4].map((n) => new LeasingEdge(world, { name: `fra-${n}`, region, fewBudgets: 0 }));
    await sellFor(world, edges, 600, 1);
    const sum = (of: (lender: RegionLender) => number) => edges.reduce((all, { lender }) => all + of(lender!), 0);
    const [draws, asks] = [sum((lender) => lender.draws), sum((lender) => lender.asks)];
    let sold = 0;
    for (let minutes = 0; minutes < 30; minutes++) {
      await sellFor(world, edges, 59, 0);
      sold += await sellFor(world, edges, 1, 1);
    }
    expect(sold).to.equal(30 * 4);
    const windows = 6 * 4;
    expect(sum((lender) => lender.draws) - draws, 'draws of four edges in six windows').to.be.at.most(2 * windows);
    expect(sum((lender) => lender.asks) - asks).to.be.at.most(3);
    await sellFor(world, edges, 2_000, 0);
    const soldNanos = edges.reduce((all, edge) => all + edge.soldInAll(), 0);
    expect(world.actors.freeTodayNanos(BUDGET_ID), 'nobody sells any more').to.equal(100_000 * CENT - soldNanos);
  }).timeout(20_000);

  it('of an edge with many budgets wait for its report, although others of the region have few', async () => {
    const world = new LeasingWorld(MORNING, 100_000);
    const region = new LeasingRegion('fra');
    const many = new LeasingEdge(world, { name: 'fra-many', region, fewBudgets: 0 });
    const few = new LeasingEdge(world, { name: 'fra-few', region });
    await sellFor(world, [few, many], 290, 1);
    await sellFor(world, [few, many], 120, 0);
    const [over] = windowsOf(region, world).filter(({ slotMs }) => slotMs === MORNING);
    expect(over!.closed).to.equal(false);
    expect(
      over!.grants.map(({ edge }) => edge),
      'the other has reported its own',
    ).to.deep.equal(['fra-many']);
    expect(over!.atHome, 'the rest is at home').to.equal(over!.leased);
    await sellFor(world, [few, many], 1_400, 0);
    const soldNanos = many.soldInAll() + few.soldInAll();
    expect(world.actors.freeTodayNanos(BUDGET_ID)).to.equal(100_000 * CENT - soldNanos);
  });

  it('go back when nobody sells any more, and when the last edge stops', async () => {
    const world = new LeasingWorld(MORNING, 100_000);
    const region = new LeasingRegion('fra');
    const [one, other] = [1, 2].map((n) => new LeasingEdge(world, { name: `fra-${n}`, region }));
    const soldNanos = () => (one!.soldInAll() + other!.soldInAll()) / CENT;
    const freeCents = () => world.actors.freeTodayNanos(BUDGET_ID)! / CENT;
    await sellFor(world, [one!, other!], 120, 3);
    expect(freeCents()).to.be.below(100_000 - soldNanos());
    await one!.close();
    await other!.close();
    await settled();
    expect(freeCents(), 'stopped').to.equal(100_000 - soldNanos());
    const third = new LeasingEdge(world, { name: 'fra-3', region });
    await sellFor(world, [third], 120, 3);
    const sold = () => soldNanos() + third.soldInAll() / CENT;
    expect(freeCents()).to.be.below(100_000 - sold());
    await sellFor(world, [third], 200, 0);
    expect(freeCents(), 'idle').to.equal(100_000 - sold());
  });

  for (const fate of ['answer-lost', 'late'] as const) {
    it(`go back when nobody asks again after the first request, whose answer was ${fate === 'late' ? 'late' : 'lost'}`, async () => {
      const world = new LeasingWorld(MORNING, 100_000);
      const region = new LeasingRegion('fra');
      const edge = new LeasingEdge(world, { name: 'fra-1', region });
      // Opens the budget.
      await sellFor(world, [new LeasingEdge(world, { name: 'home' })], 2, 1);
      const freeNanos = () => world.actors.freeTodayNanos(BUDGET_ID)!;
      const before = freeNanos();
      world.actors.fate = () => fate;
      expect(edge.sell(CENT)).to.equal(false);
      await settled();
      world.actors.arrive();
      world.actors.fate = () => 'answered';
      expect(freeNanos()).to.be.below(before);
      expect(edge.lender!.failures).to.equal(1);
      edge.leases.tick = () => undefined;
      await sellFor(world, [edge], 180, 0);
      expect(freeNanos()).to.equal(before);
      await sellFor(world, [edge], 1_000, 0);
      expect([...region.records.texts.keys()].filter((id) => !id.startsWith('!'))).to.deep.equal([]);
    });
  }

  it('of an edge that died are sold by no other, and are returned but for what it held', async () => {
    const world = new LeasingWorld(MORNING, 100_000);
    const region = new LeasingRegion('fra');
    const [one, other] = [1, 2].map((n) => new LeasingEdge(world, { name: `fra-${n}`, region }));
    await sellFor(world, [one!, other!], 60, 3);
    const [window] = windowsOf(region, world).filter(({ slotMs }) => slotMs === budgetWindowStart(MORNING));
    const heldNanos = window!.grants.find(({ edge }) => edge === 'fra-2')!.nanos;
    await sellFor(world, [one!], 4 * (BUDGET_WINDOW_MS / 1_000), 3);
    const atHome = world.actors.states.get(BUDGET_ID)!.slots.find(({ slotMs }) => slotMs === window!.slotMs)!;
    expect(atHome.grants).to.deep.equal([]);
    expect(atHome.closedNanos).to.be.at.least(other!.soldInAll());
    expect(heldNanos).to.be.at.least(other!.soldInAll());
  });

  it('shrink with a limit that becomes lower', async () => {
    const world = new LeasingWorld(MORNING, 100_000);
    const region = new LeasingRegion('fra');
    const edges = [1, 2].map((n) => new LeasingEdge(world, { name: `fra-${n}`, region }));
    await sellFor(world, edges, 400, 3);
    world.limit(3_000);
    const before = edges.reduce((sum, edge) => sum + edge.soldInAll(), 0) / CENT;
    await sellFor(world, edges, 200, 3);
    const sold = edges.reduce((sum, edge) => sum + edge.soldInAll(), 0) / CENT;
    expect(sold).to.be.within(Math.max(before, 2_950), Math.max(3_000, before + 8));
  });

  type Step =
    | { readonly do: 'sell'; readonly edges: readonly number[]; readonly cents: number; readonly kept: boolean }
    | { readonly do: 'pass'; readonly ms: number }
    | { readonly do: 'fates'; readonly fates: readonly Fate[] }
    | { readonly do: 'record-fates'; readonly region: number; readonly fates: readonly RecordFate[] }
    | { readonly do: 'arrive' }
    | { readonly do: 'cut'; readonly region: number; readonly isCutOff: boolean }
    | { readonly do: 'wipe'; readonly region: number }
    | { readonly do: 'spree' }
    | { readonly do: 'kill' | 'stop'; readonly edge: number };

  const edge = fc.nat(4);
  const region = fc.nat(1);
  const answered = ['answered', 'answered', 'answered'] as const;
  const fate = fc.constantFrom<Fate>(...answered, 'answer-lost', 'lost', 'late');
  const recordFate = fc.constantFrom<RecordFate>(...answered, ...answered, 'answer-lost', 'lost');
  const of = <K extends Step['do']>(kind: K) => fc.constant(kind);
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 24,
      arbitrary: fc.record({
        do: of('sell'),
        edges: fc.array(edge, { minLength: 1, maxLength: 6 }),
        cents: fc.integer({ min: 1, max: 5 }),
        kept: fc.boolean(),
      }),
    },
    {
      weight: 14,
      arbitrary: fc.record({ do: of('pass'), ms: fc.constantFrom(100, 1_000, 7_000, 61_000, 301_000) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: of('fates'), fates: fc.array(fate, { minLength: 1, maxLength: 12 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: of('record-fates'),
        region,
        fates: fc.array(recordFate, { minLength: 1, maxLength: 12 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: of('arrive') }) },
    { weight: 2, arbitrary: fc.record({ do: of('cut'), region, isCutOff: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: of('wipe'), region }) },
    { weight: 8, arbitrary: fc.record({ do: of('spree') }) },
    { weight: 1, arbitrary: fc.record({ do: of('kill'), edge }) },
    { weight: 1, arbitrary: fc.record({ do: of('stop'), edge }) },
  );
  const DAILY_CENTS = 100;
  const TOTAL_CENTS = 130;

  it('are never oversold: whatever is lost, late, cut off, wiped or killed, on clocks that are off', async () => {
    let mostCents = 0;
    let aheadInAll = 0;
    const scripts = fc.array(step, { minLength: 120, maxLength: 320 });
    // Which edges do as those with many budgets.
    const sizes = fc.array(fc.boolean(), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(scripts, sizes, async (steps, haveMany) => {
        const world = new LeasingWorld(BEFORE_MIDNIGHT, DAILY_CENTS);
        const campaign = world.campaign({ total_cents: TOTAL_CENTS });
        const regions = [new LeasingRegion('fra'), new LeasingRegion('nyc')];
        const wiped = new Set<LeasingRegion>();
        const all: LeasingEdge[] = [];
        const begin = (at: number) => {
          const begun = new LeasingEdge(world, {
            name: `edge-${at}-${all.length}`,
            skewMs: [0, MOST_SKEW_MS, -MOST_SKEW_MS, 3_000, 0][at]!,
            ...(at > 0 && { region: regions[at < 3 ? 0 : 1]! }),
            ...(haveMany[at]! && { fewBudgets: 0 }),
          });
          all.push(begun);
          return begun;
        };
        const edges = [0, 1, 2, 3, 4].map(begin);
        // All that an edge holds, at once.
        const sellAll = (seller: LeasingEdge) => {
          for (let n = 0; n < DAILY_CENTS && seller.sell(CENT, campaign, true); n++);
        };
        for (const each of steps) {
          switch (each.do) {
            case 'sell': {
              for (const at of each.edges) {
                let sold = false;
                for (let n = 0; n < 6; n++) sold = edges[at]!.sell(each.cents * CENT, campaign, true);
                if (sold && !each.kept) edges[at]!.unsell(each.cents * CENT, campaign);
                // The others draw while its requests are under way.
                await Promise.resolve();
              }
              break;
            }
            case 'spree':
              for (const one of edges) sellAll(one);
              break;
            case 'pass':
              world.actors.nowMs += each.ms;
              for (const one of edges) one.tick();
              break;
            case 'fates': {
              let turn = 0;
              world.actors.fate = () => each.fates[turn++] ?? 'answered';
              break;
            }
            case 'record-fates': {
              let turn = 0;
              regions[each.region]!.records.fate = () => each.fates[turn++] ?? 'answered';
              break;
            }
            case 'arrive':
              world.actors.arrive();
              break;
            case 'cut':
              regions[each.region]!.isCutOff = each.isCutOff;
              break;
            case 'wipe':
              regions[each.region]!.records.texts.clear();
              wiped.add(regions[each.region]!);
              break;
            case 'kill':
              edges[each.edge] = begin(each.edge);
              break;
            case 'stop':
              await edges[each.edge]!.close();
              edges[each.edge] = begin(each.edge);
              break;
          }
          await settled();
          for (const at of regions) {
            for (const window of windowsOf(at, world)) {
              if (window.slotMs > budgetWindowStart(world.actors.nowMs)) aheadInAll += window.grantedNanos;
              // Of what is over by the fastest clock the region may have told home that all was sold; other edges may
              // state it once more.
              const isOver = window.slotMs + BUDGET_WINDOW_MS + CLOSED_AFTER_MS <= world.actors.nowMs + MOST_SKEW_MS;
              const isStatedAgain = isOver && window.grantedNanos === 0;
              if (wiped.has(at) || window.closed || isStatedAgain) continue;
              expect(window.leased, 'what edges hold').to.be.at.most(window.grantedNanos);
              expect(window.grantedNanos, 'what the region holds').to.be.at.most(window.atHome);
            }
          }
        }
        for (const one of edges) sellAll(one);
        const days = new Set(all.flatMap(({ soldNanos }) => [...soldNanos.keys()]));
        for (const day of days) {
          const nanos = all.reduce((sum, { soldNanos }) => sum + (soldNanos.get(day) ?? 0), 0);
          expect(nanos / CENT, day).to.be.at.most(DAILY_CENTS);
        }
        const cents = all.reduce((sum, one) => sum + one.soldInAll(), 0) / CENT;
        expect(cents).to.be.at.most(TOTAL_CENTS);
        mostCents = Math.max(mostCents, cents);
      }),
      { numRuns: 20, endOnFailure: true },
    );
    expect(mostCents, 'and nearly all of it in some').to.be.above(DAILY_CENTS * 0.9);
    expect(aheadInAll, 'with leases ahead').to.be.above(0);
  }).timeout(60_000);
});
