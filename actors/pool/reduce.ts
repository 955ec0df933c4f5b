import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { absent, sees } from '../account/scope.ts';
import { initialState, stateProperties } from '../field-table.ts';
import { answerForClaim, nameId } from '../name/bearing.ts';
import { changeUnderName, createAgain } from '../name/change.ts';
import { unexpected } from '../revision.ts';
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
