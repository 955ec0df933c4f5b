import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import type { Effects, MessageOf } from '../../runtime/actor/define-actor.ts';
import type { Rejection } from '../../runtime/actor/rejection.ts';
import { absent } from '../account/scope.ts';
import { answerForClaim, BorneName, nameId } from '../name/bearing.ts';
import { changeUnderName, createAgain } from '../name/change.ts';
import { unexpected } from '../revision.ts';
import type { partnerMessages } from './messages.ts';

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

export function reducePartner(
  state: PartnerState,
  message: MessageOf<typeof partnerMessages>,
  context: Context,
): Effects<PartnerState> | Rejection {
  switch (message.type) {
    case 'create': {
      const { nameClaim, ...fields } = message.body;
      if (state.accountId !== '') return createAgain(state, fields.accountId);
      const created = { ...noPartner, ...fields, createdAt: new Date(context.nowMs).toISOString() };
      return changeUnderName(created, partnerNameId(created), nameClaim, context);
    }
    case 'update': {
      const { accountId, changes, nameClaim, expecting } = message.body;
      if (state.accountId !== accountId) return absent('The partner');
      const refusal = unexpected(state, expecting);
      if (refusal !== null) return refusal;
      const updated = { ...state, ...changes };
      return changeUnderName(updated, partnerNameId(updated), nameClaim, context);
    }
    case 'answer-for-claim':
      return { sends: answerForClaim(state.borneName, message.body, context) };
  }
}
