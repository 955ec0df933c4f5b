import { expect } from 'chai';
import type { PacingMode } from '#exchange/pacing/planned-share';
import { cityDay, cityDaysBefore, type DayOf, type DayTerms, simulateDay } from './simulated-day.ts';

const MODES: readonly PacingMode[] = ['linear', 'aggressive', 'conservative'];
const WEDNESDAY = '2014-09-17';
const SATURDAY = '2014-09-20';

/**
 * Three times to fifty times the demand that budgets need, at prices of 1 to 5 CPM: budgets of about 8,500 to 500
 * impressions.
 */
const campaigns = [3, 10, 50].flatMap((plenty) =>
  MODES.map((pacing) => ({ id: `${pacing}, ${plenty} times`, pacing, dailyCents: Math.round(8_000 / plenty) })),
);
const TERMS: Omit<DayTerms, 'day' | 'seed'> = { campaigns, requests: 40_000, renderRate: 0.7, meanDelayMs: 40_000 };
const LATE = { ...TERMS, renderRate: 0.4, meanDelayMs: 300_000 };

function each(outcomes: ReadonlyMap<string, DayOf>, check: (outcome: DayOf, what: string) => void): void {
  for (const [id, outcome] of outcomes) check(outcome, `${id}: ${JSON.stringify(outcome)}`);
}

describe('a campaign’s pace over a day of a city’s traffic, at two edges', () => {
  for (const [name, day] of Object.entries({ 'a Wednesday': WEDNESDAY, 'a Saturday': SATURDAY })) {
    it(`keeps within 3 per cent of the plan on ${name}, by a curve learnt from the fortnight before`, async () => {
      const outcomes = await simulateDay({ ...TERMS, seed: day, day, earlier: cityDaysBefore(day) });
      each(outcomes, (outcome, what) => {
        expect(outcome.offPlan, what).to.be.below(0.03);
        // The day is not quite like those before it.
        expect(outcome.offTruePlan, what).to.be.below(0.04);
        expect(outcome.spentShare, what).to.be.within(0.94, 0.96);
      });
    });
  }

  it('keeps within 4 per cent of the plan as a rule, and 5 at most, when two ads in five are shown, and those five minutes later', async () => {
    const worst: number[] = [];
    for (const seed of [1, 2, 3]) {
      const outcomes = await simulateDay({ ...LATE, seed, day: WEDNESDAY, earlier: cityDaysBefore(WEDNESDAY) });
      each(outcomes, (outcome, what) => {
        expect(outcome.offPlan, what).to.be.below(0.05);
        expect(outcome.spentShare, what).to.be.within(0.92, 0.98);
      });
      worst.push(Math.max(...[...outcomes.values()].map(({ offPlan }) => offPlan)));
    }
    expect(worst.reduce((sum, off) => sum + off, 0) / worst.length).to.be.below(0.04);
  });

  it('keeps to the plan that it takes for right, and spends its budget, by a curve that is wrong', async () => {
    const halfADayAhead = cityDaysBefore(WEDNESDAY).map((day) => [...day.slice(24), ...day.slice(0, 24)]);
    for (const earlier of [[], halfADayAhead]) {
      const outcomes = await simulateDay({ ...TERMS, seed: 4, day: WEDNESDAY, earlier });
      each(outcomes, (outcome, what) => {
        expect(outcome.offPlan, what).to.be.below(0.03);
        expect(outcome.spentShare, what).to.be.within(0.94, 0.96);
        // As far off as the curve, and no further.
        expect(outcome.offTruePlan, what).to.be.below(0.35);
      });
    }
  });

  it('takes all that there is while demand does not suffice', async () => {
    const [linear] = campaigns;
    const scarce = [{ ...linear!, reach: 0.25 }];
    const day = { seed: 5, day: SATURDAY, earlier: cityDaysBefore(SATURDAY) };
    const outcomes = await simulateDay({ ...TERMS, ...day, campaigns: scarce });
    each(outcomes, (outcome, what) => {
      // Three times a quarter of what the budget needs, less what the last hour had not shown yet.
      expect(outcome.spentShare, what).to.be.within(0.74, 0.84);
      expect(outcome.offPlan, what).to.be.below(0.03);
    });
  });

  it('never spends more than a small budget', async () => {
    const small = MODES.flatMap((pacing) =>
      [10, 20, 50].map((dailyCents) => ({ id: `${pacing}, ${dailyCents} cents`, pacing, dailyCents })),
    );
    for (const terms of [TERMS, LATE]) {
      const outcomes = await simulateDay({ ...terms, campaigns: small, seed: 6, day: WEDNESDAY });
      each(outcomes, (outcome, what) => expect(outcome.spentShare, what).to.be.within(0.85, 1));
    }
  });

  it('is the same day again for the same seed', async () => {
    const terms = { ...TERMS, seed: 8, day: SATURDAY, earlier: [cityDay(WEDNESDAY)] };
    expect([...(await simulateDay(terms))]).to.deep.equal([...(await simulateDay(terms))]);
  });
});
