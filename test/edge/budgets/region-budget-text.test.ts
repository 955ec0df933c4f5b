import { expect } from 'chai';
import fc from 'fast-check';
import { BUDGET_WINDOW_MS } from '#actors/budget/budget-window';
import { newRegionBudget, type RegionBudget } from '#edge/budgets/region/region-budget';
import { decodeRegionBudget, encodeRegionBudget } from '#edge/budgets/region/region-budget-text';

const LIMITS = { revision: 4, dailyNanos: 100_000_000_000, totalNanos: 0, sinceMs: 0 };
const nanos = fc.nat({ max: 2 ** 50 });
const edgeName = fc.string({ minLength: 1, maxLength: 12 });

const regionBudget: fc.Arbitrary<RegionBudget> = fc
  .record({
    heard: fc.uniqueArray(
      fc.record({ edge: edgeName, number: nanos, heardAtMs: fc.integer({ min: 0, max: 2 ** 43 }) }),
      { selector: ({ edge }) => edge, maxLength: 5 },
    ),
    windows: fc.array(
      fc.record({
        number: fc.nat({ max: 10_000_000 }),
        grantedNanos: nanos,
        closedNanos: nanos,
        closed: fc.boolean(),
        holders: fc.uniqueArray(fc.oneof(edgeName, fc.nat({ max: 4 })), { maxLength: 4 }),
        granted: fc.array(nanos, { minLength: 4, maxLength: 4 }),
      }),
      { maxLength: 13 },
    ),
  })
  .map(({ heard, windows }) => ({
    ...newRegionBudget('fra#1', LIMITS),
    edges: heard,
    slots: windows.map(({ number, holders, granted, ...window }) => ({
      ...window,
      slotMs: number * BUDGET_WINDOW_MS,
      grants: holders.map((holder, at) => ({
        // Edges that were heard of, by their places, and others.
        edge: typeof holder === 'string' ? holder : (heard[holder]?.edge ?? `unheard ${holder}`),
        nanos: granted[at]!,
      })),
    })),
  }));

describe('the text of what a region has leased', () => {
  it('says all of it', () => {
    fc.assert(
      fc.property(regionBudget, (state) => {
        expect(decodeRegionBudget(encodeRegionBudget(state))).to.deep.equal(state);
      }),
    );
  });
});
