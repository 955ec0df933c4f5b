import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { initialState, stateProperties } from '../field-table.ts';
import { revisionConflict, withNextRevision } from '../revision.ts';
import { accountFields } from './fields.ts';
import { accountMessages } from './messages.ts';
import { notFound } from './scope.ts';
import { requestsPerMinuteOf, type Tier } from './tier.ts';

export const AccountState = Type.Object(stateProperties(accountFields));
export type AccountState = Static<typeof AccountState>;

export const noAccount: AccountState = initialState(accountFields);

export const accountHandlers = handlersOf(AccountState, accountMessages, {
  open(state, body, context) {
    if (state.open) return { reply: state };
    return changed({ ...noAccount, ...body, open: true }, body.tier, body.requestsPerMinute, context);
  },
  update(state, { expecting, ...changes }, context) {
    if (!state.open) return notFound('The account');
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    const tier = changes.tier ?? state.tier;
    const kept = tier === state.tier && tier === 'enterprise' ? state.requestsPerMinute : undefined;
    return changed({ ...state, ...changes }, tier, changes.requestsPerMinute ?? kept, context);
  },
});

/** The change to `next`, with the rate that its tier allows. */
function changed(
  next: AccountState,
  tier: Tier,
  ownRate: number | undefined,
  context: Context,
): Effects<AccountState, AccountState> | Rejection {
  if (ownRate !== undefined && tier !== 'enterprise') {
    const message = 'Only an enterprise account has a rate of its own.';
    return reject('VALIDATION_ERROR', message, { field: 'requests_per_minute' });
  }
  const requestsPerMinute = ownRate ?? requestsPerMinuteOf[tier];
  const createdAt = next.createdAt || new Date(context.nowMs).toISOString();
  const state = withNextRevision({ ...next, requestsPerMinute, createdAt }, context);
  return { state, reply: state };
}
