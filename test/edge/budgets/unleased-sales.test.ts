import { expect } from 'chai';
import fc from 'fast-check';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '#actors/budget/budget-window';
import { UnleasedSales } from '#edge/budgets/unleased-sales';

const KEPT_MS = 3 * BUDGET_WINDOW_MS;
const START_MS = 1_000 * BUDGET_WINDOW_MS;

const holder = fc.record({
  scope: fc.constantFrom('dsp' as const, 'campaign' as const),
  id: fc.constantFrom('a', 'b'),
  sandbox: fc.boolean(),
});
const sales = fc.array(
  fc.tuple(holder, fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 0, max: 8 * BUDGET_WINDOW_MS })),
  { maxLength: 60 },
);

describe('edge/budgets/unleased-sales', () => {
  it('knows of each holder what a list of all sales says, for as long as they may be billed', () => {
    fc.assert(
      fc.property(sales, holder, (made, asked) => {
        const kept = new UnleasedSales(KEPT_MS);
        let newestMs = 0;
        let model: { readonly of: typeof asked; readonly windowMs: number; readonly nanos: number }[] = [];
        for (const [of, priceNanos, afterMs] of made) {
          const soldAtMs = START_MS + afterMs;
          kept.add({ ...of, dspId: 'a', priceNanos, soldAtMs });
          const windowMs = budgetWindowStart(soldAtMs);
          if (windowMs > newestMs) {
            newestMs = windowMs;
            model = model.filter((sale) => sale.windowMs + BUDGET_WINDOW_MS + KEPT_MS > windowMs);
          }
          model.push({ of, windowMs, nanos: priceNanos });
        }
        const expected: Record<number, number> = {};
        for (const { of, windowMs, nanos } of model) {
          if (of.scope !== asked.scope || of.id !== asked.id || of.sandbox !== asked.sandbox) continue;
          expected[windowMs] = (expected[windowMs] ?? 0) + nanos;
        }
        expect(Object.fromEntries(kept.soldByWindow(asked))).to.deep.equal(expected);
      }),
      { numRuns: 500 },
    );
  });
});
