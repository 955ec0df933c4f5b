import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { isInScope, notFound } from '../account/scope.ts';
import { initialState, stateProperties } from '../field-table.ts';
import { answerRepeatedCreate, changeWithReservedName } from '../name/change.ts';
import { confirmOrRelease, nameId } from '../name/reservation.ts';
import { revisionConflict } from '../revision.ts';
import { poolFields } from './fields.ts';
import { poolMessages } from './messages.ts';

export const PoolState = Type.Object(stateProperties(poolFields));
export type PoolState = Static<typeof PoolState>;

export const noPool: PoolState = initialState(poolFields);

export function poolNameId(of: Pick<PoolState, 'accountId' | 'name'>): string {
  return nameId(of.accountId, 'pool', of.name);
}

export const poolHandlers = handlersOf(PoolState, poolMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.accountId !== '') return answerRepeatedCreate(state, fields.accountId);
    const created = { ...noPool, ...fields, createdAt: new Date(context.nowMs).toISOString() };
    return changeWithReservedName(created, poolNameId(created), nameClaim, context);
  },
  update(state, { scope, changes, nameClaim, expecting }, context) {
    if (!isInScope(scope, { accountId: state.accountId })) return notFound('The pool');
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    const updated = { ...state, ...changes };
    return changeWithReservedName(updated, poolNameId(updated), nameClaim, context);
  },
  'answer-for-claim': (state, body, context) => ({ sends: confirmOrRelease(state.borneName, body, context) }),
});
