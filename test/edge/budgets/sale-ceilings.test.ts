import { expect } from 'chai';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '#actors/budget/budget-window';
import { ceilingNanos } from '#actors/budget/ceiling-sums';
import { SaleCeilings } from '#edge/budgets/sale-ceilings';
import { type BudgetActors, CENT, DSP, LeasingEdge, LeasingWorld, settled } from './leasing.ts';

const MORNING = Date.UTC(2026, 2, 14, 9);
const ID = `dsp:${DSP}`;
const HOUR_MS = 3_600_000;

/** The most that was sold without a lease in the window of an instant, as a limit from now on would count it. */
function countedNanos(actors: BudgetActors, atMs = actors.nowMs, id = ID): number {
  const state = actors.states.get(id);
  return state === undefined ? 0 : ceilingNanos({ ...state, openedSinceMs: actors.nowMs }, budgetWindowStart(atMs));
}

describe('ceilings of sales without a limit', () => {
  it('are stated with the first sale, and again before half of them is exceeded', async () => {
    const world = new LeasingWorld(MORNING, 0);
    const edge = new LeasingEdge(world);
    for (let sale = 1; sale <= 40; sale++) {
      edge.sell(CENT);
      expect(countedNanos(world.actors), 'the ceiling is ahead of what is on its way').to.be.at.least(
        sale === 1 ? 0 : sale * CENT,
      );
      await settled();
      expect(countedNanos(world.actors)).to.be.at.least(sale * CENT);
    }
    expect(world.actors.tells).to.equal(5);
    expect(edge.ceilings.due).to.equal(0);
  });

  it('are what a killed edge has sold at least, and to the nano-dollar what a stopped one has', async () => {
    const world = new LeasingWorld(MORNING, 0);
    const killed = new LeasingEdge(world, { name: 'killed' });
    const stopped = new LeasingEdge(world, { name: 'stopped' });
    for (let sale = 0; sale < 7; sale++) for (const edge of [killed, stopped]) edge.sell(CENT);
    await settled();
    const both = countedNanos(world.actors);
    await stopped.ceilings.close();
    const ofKilled = countedNanos(world.actors) - 7 * CENT;
    expect(both - ofKilled).to.be.at.least(7 * CENT);
    expect(ofKilled).to.be.within(7 * CENT, 28 * CENT);
  });

  it('become exact when the edge hears of a limit, so that all but what was sold is free', async () => {
    const world = new LeasingWorld(MORNING, 0);
    const edge = new LeasingEdge(world);
    for (let sale = 0; sale < 10; sale++) edge.sell(CENT);
    await settled();
    world.actors.nowMs += 1;
    world.limit(25);
    let sold = 0;
    for (let inVain = 0; inVain < 20; ) {
      if (edge.sell(CENT)) sold += 1;
      else inVain += 1;
      await settled();
      world.actors.nowMs += 500;
      edge.tick();
    }
    expect(sold).to.equal(15);
  });

  it('are exact for windows that are over, half an hour later at the latest', async () => {
    const world = new LeasingWorld(MORNING, 0);
    const edge = new LeasingEdge(world);
    edge.sell(CENT);
    await settled();
    expect(countedNanos(world.actors, MORNING)).to.equal(8 * CENT);
    world.actors.nowMs += 6 * BUDGET_WINDOW_MS + 10_000;
    edge.tick();
    await settled();
    expect(countedNanos(world.actors, MORNING)).to.equal(CENT);
    expect(countedNanos(world.actors, MORNING + BUDGET_WINDOW_MS)).to.equal(0);
    expect(world.actors.tells).to.equal(2);
    world.actors.nowMs += 4 * HOUR_MS;
    edge.tick();
    await settled();
    expect(world.actors.tells, 'nothing is left to say').to.equal(2);
  });

  it('are repeated until they have certainly arrived, whatever becomes of a message', async () => {
    const world = new LeasingWorld(MORNING, 0);
    const edge = new LeasingEdge(world);
    const fates = ['lost', 'answer-lost', 'lost', 'answered'] as const;
    let turn = 0;
    world.actors.fate = () => fates[turn++ % fates.length]!;
    for (let second = 0; second < 40; second++) {
      edge.sell(CENT);
      await settled();
      world.actors.nowMs += 1_000;
      edge.tick();
    }
    world.actors.fate = () => 'answered';
    edge.tick();
    await settled();
    expect(countedNanos(world.actors)).to.be.within(40 * CENT, 160 * CENT);
    expect(edge.ceilings.due).to.equal(0);
    expect(edge.ceilings.failures).to.be.above(5);
  });

  it('cost a hundredth of a message for each holder and second: 1,000 campaigns that all sell each second', async () => {
    let nowMs = MORNING;
    let tells = 0;
    let most = 0;
    let underWay = 0;
    const now = () => nowMs;
    const ceilings = new SaleCeilings({
      messenger: {
        tell: async () => {
          tells += 1;
          most = Math.max(most, ++underWay);
          await Promise.resolve();
          underWay -= 1;
        },
      },
      clock: { now, monotonic: now, after: () => () => undefined },
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      edge: 'fra-1',
      windowGraceMs: 5_000,
      slotsFromMs: () => nowMs - 2 * HOUR_MS,
    });
    const perSecond: number[] = [];
    for (let second = 0; second < 3_600; second++, nowMs += 1_000) {
      const before = tells;
      for (let campaign = 0; campaign < 1_000; campaign++) {
        const sale = {
          scope: 'campaign',
          id: `c-${campaign}`,
          dspId: DSP,
          sandbox: false,
          sandboxGeneration: 0,
        } as const;
        ceilings.add({ ...sale, priceNanos: CENT / 2, soldAtMs: nowMs });
      }
      ceilings.tick();
      await settled();
      perSecond.push(tells - before);
    }
    expect(tells / 3_600, 'statements a second, where there were 1,000 messages').to.be.below(10);
    expect(perSecond.slice(300).reduce((sum, count) => sum + count, 0) / 3_300, 'after the first window').to.be.below(
      1,
    );
    expect(most).to.be.at.most(64);
  });
});
