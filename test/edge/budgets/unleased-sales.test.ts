import { expect } from 'chai';
import fc from 'fast-check';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '#actors/budget/budget-window';
import type { CeilingSpan } from '#actors/budget/messages';
import { UnleasedSales } from '#edge/budgets/unleased-sales';

const START_MS = 1_000 * BUDGET_WINDOW_MS;
const CENT = 10_000_000;

function statedNanos(spans: readonly CeilingSpan[], slotMs: number): number {
  return Math.max(0, ...spans.filter((of) => slotMs >= of.fromMs && slotMs <= of.throughMs).map(({ nanos }) => nanos));
}

describe('sales of a holder without a limit', () => {
  const price = fc.integer({ min: 1, max: 40 * CENT });
  const step = fc.oneof(
    { weight: 10, arbitrary: fc.record({ do: fc.constant('sell' as const), price }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(2 * BUDGET_WINDOW_MS) }) },
    { weight: 1, arbitrary: fc.constant({ do: 'end' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'state' as const }) },
  );

  it('are never beyond what was stated, unless a new statement is asked for, nor twice what they were', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const sales = new UnleasedSales();
        const model = new Map<number, number>();
        let nowMs = START_MS;
        let spans: CeilingSpan[] = [];
        const state = () => {
          spans = sales.spans(budgetWindowStart(nowMs));
          for (const [slotMs, nanos] of model) {
            const stated = statedNanos(spans, slotMs);
            if (slotMs < budgetWindowStart(nowMs) || sales.throughMs < slotMs) expect(stated).to.equal(nanos);
            else expect(stated).to.be.at.least(nanos);
          }
        };
        for (const each of steps) {
          if (each.do === 'pass') nowMs += each.ms;
          else if (each.do === 'state') state();
          else if (each.do === 'end') {
            sales.end();
            state();
            for (const slotMs of model.keys()) expect(statedNanos(spans, slotMs)).to.equal(model.get(slotMs));
          } else {
            const slotMs = budgetWindowStart(nowMs);
            const soldNanos = (model.get(slotMs) ?? 0) + each.price;
            model.set(slotMs, soldNanos);
            if (sales.add(each.price, nowMs)) state();
            expect(statedNanos(spans, slotMs)).to.be.at.least(soldNanos);
            expect(statedNanos(spans, slotMs), 'within reason').to.be.at.most(
              Math.max(CENT, ...Array.from(model.values(), (nanos) => 4 * nanos), 16 * 40 * CENT),
            );
          }
        }
        sales.forgetBefore(nowMs + BUDGET_WINDOW_MS);
        expect(sales.isEmpty).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });

  it('need few statements: one in half an hour for a seldom seller, one more for each doubling', () => {
    const seldom = new UnleasedSales();
    let asked = 0;
    for (let minute = 0; minute < 60; minute += 5) if (seldom.add(CENT / 2, START_MS + minute * 60_000)) asked += 1;
    expect(asked).to.equal(2);
    const often = new UnleasedSales();
    asked = 0;
    for (let sale = 0; sale < 10_000; sale++) if (often.add(CENT / 2, START_MS + sale * 20)) asked += 1;
    expect(asked, '2^14 cents for 5,000').to.be.within(9, 13);
  });
});
