import { budget } from '#actors/budget/budget';
import { type BudgetHolder, budgetId } from '#actors/budget/budget-id';
import { type BudgetStatus, budgetStatusAt } from '#actors/budget/budget-status';
import type { BudgetState } from '#actors/budget/state';
import { DAY_MS } from '#actors/ledger/ledger-id';
import { hoursBetween } from '#actors/ledger/report/period';
import type { ManagementDeps } from '../../deps.ts';
import { loadLedgersOf } from '../metrics/load-ledgers.ts';

/**
 * Loads the saved status of the holder's budgets, of the present UTC day and of all time: what is spent and what is
 * reserved. A budget of all time needs `madeAtMs`, the instant when the holder was created; until such a budget is
 * opened, the ledgers alone know its spending.
 */
export async function loadBudgetStatus(
  deps: ManagementDeps,
  holder: BudgetHolder,
  madeAtMs = Number.POSITIVE_INFINITY,
): Promise<BudgetStatus> {
  const nowMs = deps.clock.now();
  const [document] = await deps.store.load([{ kind: budget.kind, id: budgetId(holder) }]);
  const state = document && !document.deleted ? (document.state as BudgetState) : null;
  // The previous day is read too: the sale of an edge whose clock is ahead was billed on that day.
  const opened = state !== null && state.openedSinceMs !== null;
  const fromMs = Math.min(opened ? (state.oldestSlotMs ?? nowMs) : madeAtMs, nowMs - DAY_MS);
  const ledgers = await loadLedgersOf(deps, [holder], hoursBetween(fromMs, nowMs + 1));
  return budgetStatusAt(state, ledgers, nowMs);
}

/**
 * The remaining cents of a budget, rounded to 4 decimals because the difference of fractions is not exact; null for no
 * limit.
 */
export function remainingCents(limitCents: number, spentCents: number, reservedCents: number): number | null {
  if (limitCents === 0) return null;
  return Math.max(0, Number((limitCents - spentCents - reservedCents).toFixed(4)));
}
