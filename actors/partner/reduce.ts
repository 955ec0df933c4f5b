import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { absent } from '../account/scope.ts';
import { answerForClaim, BorneName, nameId } from '../name/bearing.ts';
import { changeUnderName, createAgain } from '../name/change.ts';
import { unexpected } from '../revision.ts';
import { partnerMessages } from './messages.ts';

export const PartnerState = Type.Object({
  /** '' while nothing was created. */
  accountId: Type.String(),
  name: Type.String(),
  borneName: BorneName,
  /** Of the resource: 1 when created, one more with each change. */
  revision: Type.Integer({ minimum: 0 }),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type PartnerState = Static<typeof PartnerState>;

export const noPartner: PartnerState = {
  accountId: '',
  name: '',
  borneName: null,
  revision: 0,
  createdAt: '',
  updatedAt: '',
};

export function partnerNameId(of: Pick<PartnerState, 'accountId' | 'name'>): string {
  return nameId(of.accountId, 'partner', of.name);
}

export const partnerHandlers = handlersOf(PartnerState, partnerMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.accountId !== '') return createAgain(state, fields.accountId);
    const created = { ...noPartner, ...fields, createdAt: new Date(context.nowMs).toISOString() };
    return changeUnderName(created, partnerNameId(created), nameClaim, context);
  },
  update(state, { accountId, changes, nameClaim, expecting }, context) {
    if (state.accountId !== accountId) return absent('The partner');
    const refusal = unexpected(state, expecting);
    if (refusal !== null) return refusal;
    const updated = { ...state, ...changes };
    return changeUnderName(updated, partnerNameId(updated), nameClaim, context);
  },
  'answer-for-claim': (state, body, context) => ({ sends: answerForClaim(state.borneName, body, context) }),
});
