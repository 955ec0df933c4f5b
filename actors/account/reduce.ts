import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { revisionConflict, withNextRevision } from '../revision.ts';
import { LimitOverrides } from './limits.ts';
import { accountMessages } from './messages.ts';
import { notFound } from './scope.ts';
import { Tier } from './tier.ts';

export const AccountState = Type.Object({
  open: Type.Boolean(),
  name: Type.String(),
  tier: Tier,
  requestsPerMinute: Type.Integer({ minimum: 1 }),
  /** The limits that operators have set in place of the tier's. */
  limits: Type.Optional(LimitOverrides),
  sandboxLimits: Type.Optional(LimitOverrides),
  /** The revision of the resource: 1 when opened, one more with each change. */
  revision: Type.Integer({ minimum: 0 }),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type AccountState = Static<typeof AccountState>;

/** Specification, "Limits". An enterprise account has a rate of its own; until one is set it has the partner rate. */
const requestsPerMinuteOf: Readonly<Record<Tier, number>> = { standard: 1000, partner: 5000, enterprise: 5000 };

export const noAccount: AccountState = {
  open: false,
  name: '',
  tier: 'standard',
  requestsPerMinute: requestsPerMinuteOf.standard,
  revision: 0,
  createdAt: '',
  updatedAt: '',
};

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
