import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { absent, sees } from '../account/scope.ts';
import { answerForClaim, BorneName, nameId } from '../name/bearing.ts';
import { changeUnderName, createAgain } from '../name/change.ts';
import { unexpected } from '../revision.ts';
import { poolMessages } from './messages.ts';

export const PoolState = Type.Object({
  /** '' while nothing was created. */
  accountId: Type.String(),
  name: Type.String(),
  borneName: BorneName,
  description: Type.String(),
  floorCpmMicros: Type.Integer({ minimum: 0 }),
  requireVerified: Type.Boolean(),
  /** Of the resource: 1 when created, one more with each change. */
  revision: Type.Integer({ minimum: 0 }),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type PoolState = Static<typeof PoolState>;

export const noPool: PoolState = {
  accountId: '',
  name: '',
  borneName: null,
  description: '',
  floorCpmMicros: 0,
  requireVerified: false,
  revision: 0,
  createdAt: '',
  updatedAt: '',
};

export function poolNameId(of: Pick<PoolState, 'accountId' | 'name'>): string {
  return nameId(of.accountId, 'pool', of.name);
}

export const poolHandlers = handlersOf(PoolState, poolMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.accountId !== '') return createAgain(state, fields.accountId);
    const created = { ...noPool, ...fields, createdAt: new Date(context.nowMs).toISOString() };
    return changeUnderName(created, poolNameId(created), nameClaim, context);
  },
  update(state, { scope, changes, nameClaim, expecting }, context) {
    if (!sees(scope, { accountId: state.accountId })) return absent('The pool');
    const refusal = unexpected(state, expecting);
    if (refusal !== null) return refusal;
    const updated = { ...state, ...changes };
    return changeUnderName(updated, poolNameId(updated), nameClaim, context);
  },
  'answer-for-claim': (state, body, context) => ({ sends: answerForClaim(state.borneName, body, context) }),
});
