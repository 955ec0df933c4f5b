import { defineActor } from '../../runtime/actor/define-actor.ts';
import { applyCeiling } from './ceilings.ts';
import { grantLease } from './lease.ts';
import { budgetMessages } from './messages.ts';
import { applyBudgetOpening, settleWindows } from './settle.ts';
import { BudgetState, emptyBudget } from './state.ts';

/**
 * The budget of a demand source or a campaign, divided among the edges by budget windows. Id: budget-id.ts.
 *
 * The law: for each UTC day, and for all time, settled spend plus what open windows have leased or sold is at most the
 * limit. Leased money becomes free again only when its edge has said so itself, or when the ledgers have settled the
 * window.
 */
export const budget = defineActor({
  kind: 'budget',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They follow the settings of their holders, whose changes are entries.' },
  state: BudgetState,
  messages: budgetMessages,
  initial: emptyBudget,
  handlers: {
    ceiling: (state, body) => applyCeiling(state, body),
    lease: (state, body, { nowMs }) => grantLease(state, body, nowMs),
    open: (state, body, { nowMs }) => applyBudgetOpening(state, body, nowMs),
    settle: (state, body, { nowMs }) => settleWindows(state, body, nowMs),
  },
  indexes: ['oldestSlotMs'],
});
