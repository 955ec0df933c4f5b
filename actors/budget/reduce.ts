import type { Context } from '../../runtime/actor/context.ts';
import type { Effects, MessageOf } from '../../runtime/actor/define-actor.ts';
import { lease } from './lease.ts';
import type { budgetMessages } from './messages.ts';
import { open, settle } from './settle.ts';
import type { BudgetState } from './state.ts';

export function reduceBudget(
  state: BudgetState,
  message: MessageOf<typeof budgetMessages>,
  { nowMs }: Context,
): Effects<BudgetState> {
  switch (message.type) {
    case 'lease':
      return lease(state, message.body, nowMs);
    case 'open':
      return open(state, message.body, nowMs);
    case 'settle':
      return settle(state, message.body, nowMs);
  }
}
