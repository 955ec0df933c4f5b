import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { notFound } from '../account/scope.ts';
import { initialState, stateProperties } from '../field-table.ts';
import { answerRepeatedCreate, changeWithReservedName } from '../name/change.ts';
import { confirmOrRelease, nameId } from '../name/reservation.ts';
import { revisionConflict } from '../revision.ts';
import { partnerFields } from './fields.ts';
import { partnerMessages } from './messages.ts';

export const PartnerState = Type.Object(stateProperties(partnerFields));
export type PartnerState = Static<typeof PartnerState>;

export const noPartner: PartnerState = initialState(partnerFields);

export function partnerNameId(of: Pick<PartnerState, 'accountId' | 'name'>): string {
  return nameId(of.accountId, 'partner', of.name);
}

export const partnerHandlers = handlersOf(PartnerState, partnerMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.accountId !== '') return answerRepeatedCreate(state, fields.accountId);
    const created = { ...noPartner, ...fields, createdAt: new Date(context.nowMs).toISOString() };
    return changeWithReservedName(created, partnerNameId(created), nameClaim, context);
  },
  update(state, { accountId, changes, nameClaim, expecting }, context) {
    if (state.accountId !== accountId) return notFound('The partner');
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    const updated = { ...state, ...changes };
    return changeWithReservedName(updated, partnerNameId(updated), nameClaim, context);
  },
  'answer-for-claim': (state, body, context) => ({ sends: confirmOrRelease(state.borneName, body, context) }),
});
