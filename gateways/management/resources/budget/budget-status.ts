import { budget } from '../../../../actors/budget/budget.ts';
import { type BudgetHolder, budgetId } from '../../../../actors/budget/budget-id.ts';
import { type BudgetStatus, budgetStatusAt } from '../../../../actors/budget/budget-status.ts';
import type { BudgetState } from '../../../../actors/budget/state.ts';
import { DAY_MS } from '../../../../actors/ledger/ledger-id.ts';
import { hoursBetween } from '../../../../actors/ledger/report/period.ts';
import type { ManagementDeps } from '../../deps.ts';
import { loadLedgersOf } from '../metrics/load-ledgers.ts';

/**
 * As saved: what the holder has spent and what is reserved of its budgets, of the present UTC day and of all time. What is of all
 * time is wanted of a holder that was made at `madeAtMs`; until its budget is opened the ledgers alone know it.
 */
export async function loadBudgetStatus(
  parts: ManagementDeps,
  holder: BudgetHolder,
  madeAtMs = Number.POSITIVE_INFINITY,
): Promise<BudgetStatus> {
  const nowMs = parts.clock.now();
  const [document] = await parts.store.load([{ kind: budget.kind, id: budgetId(holder) }]);
  const state = document && !document.deleted ? (document.state as BudgetState) : null;
  // What an edge sold by a clock that is ahead was billed the day before.
  const opened = state !== null && state.openedSinceMs !== null;
  const fromMs = Math.min(opened ? (state.oldestSlotMs ?? nowMs) : madeAtMs, nowMs - DAY_MS);
  const ledgers = await loadLedgersOf(parts, [holder], hoursBetween(fromMs, nowMs + 1));
  return budgetStatusAt(state, ledgers, nowMs);
}

/** Null for no limit; exact to the ten-thousandth, which the difference of fractions is not. */
export function remainingCents(limitCents: number, spentCents: number, reservedCents: number): number | null {
  if (limitCents === 0) return null;
  return Math.max(0, Number((limitCents - spentCents - reservedCents).toFixed(4)));
}
