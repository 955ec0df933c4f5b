import { defineActor } from '../../runtime/actor/define-actor.ts';
import { grantLease } from './lease.ts';
import { budgetMessages } from './messages.ts';
import { applyBudgetOpening, settleWindows } from './settle.ts';
import { BudgetState, emptyBudget } from './state.ts';

/**
 * What a demand source or a campaign may spend, divided among the edges by budget slots. Id: budget-id.ts.
 *
 * The law: of each UTC day, and of all time, what is settled and what of open slots is leased or sold come to no more than
 * the limit. Nothing leased is free again unless the edge that has it said so of itself, or the ledgers had the last word.
 */
export const budget = defineActor({
  kind: 'budget',
  schemaVersion: 1,
  saving: 'eager',
  state: BudgetState,
  messages: budgetMessages,
  initial: emptyBudget,
  handlers: {
    lease: (state, body, { nowMs }) => grantLease(state, body, nowMs),
    open: (state, body, { nowMs }) => applyBudgetOpening(state, body, nowMs),
    settle: (state, body, { nowMs }) => settleWindows(state, body, nowMs),
  },
  indexes: ['oldestSlotMs'],
});
