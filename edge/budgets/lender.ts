import { budget } from '../../actors/budget/budget.ts';
import type { BudgetLease } from '../../actors/budget/messages.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { LeaseRequest } from './held-budget.ts';

/** Where an edge leases budgets. */
export interface BudgetLender {
  /** Answers a lease request. Rejects when the outcome is unknown: the next request then says everything again. */
  lease(budgetId: string, request: LeaseRequest): Promise<BudgetLease>;
}

const ASK_TIMEOUT_MS = 3_000;

/** The budgets' own actors. */
export function homeLender(messenger: Messenger): BudgetLender {
  return {
    lease: (budgetId, request) => messenger.ask(budget, budgetId, 'lease', request, { timeoutMs: ASK_TIMEOUT_MS }),
  };
}
