import { expect } from 'chai';
import { emptyBudget } from '#actors/budget/state';
import { BudgetSpend } from '#scheduler/audit/budget-spend';
import { checkBudgets } from '#scheduler/audit/check-budgets';

describe('scheduler/audit/check-budgets', () => {
  /** A demand source whose limit was set shortly after midnight, and opened with a sale that no live ledger has. */
  const differencesWith = (archivedBefore: string) => {
    const sinceMs = Date.parse('2026-03-30T00:05:00Z');
    const limits = { dailyNanos: 1_000, totalNanos: 0, sinceMs, revision: 1 };
    const state = { ...emptyBudget(), limits, openedSinceMs: sinceMs, settledNanos: 7 };
    const before = new Map([['dsp:x', { state, heardThroughMs: sinceMs }]]);
    const holders = new Map([['dsp:x', { limits, createdDay: '2026-01-01', changedAtMs: sinceMs }]]);
    const spent = new BudgetSpend(before);
    return checkBudgets({
      ...{ before, after: before, holders, spent },
      ...{ spentBySaleDay: new Map(), deadLetters: [], archivedBefore },
    });
  };

  it('leaves alone what a budget was opened with of archived ledgers, up to four days back', () => {
    expect(differencesWith('2026-03-27')).to.deep.equal([]);
  });

  it('finds what a budget was opened with and no ledger has, where none of those days is archived', () => {
    const [found, ...others] = differencesWith('2026-03-26');
    expect(others).to.deep.equal([]);
    expect(found).to.deep.equal({ check: 'settled is billed', where: 'dsp:x', expected: '0', found: '7' });
  });
});
