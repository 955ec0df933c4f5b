import Type from 'typebox';
import { messageProperties } from '../field-table.ts';
import { NameClaim, nameHolderMessages } from '../name/reservation.ts';
import { ExpectedRevisions } from '../revision.ts';
import { partnerFields } from './fields.ts';

const fields = messageProperties(partnerFields);

export const partnerMessages = {
  ...nameHolderMessages,
  /** Answers the state. A partner that exists under the same account stays as it is and answers its state. */
  create: Type.Object({ accountId: Type.String({ minLength: 1 }), ...fields, nameClaim: NameClaim }),
  /**
   * Changes only the given fields; another name needs its `nameClaim` (otherwise NAME_NOT_CLAIMED). PRECONDITION_FAILED
   * for an unexpected revision. Answers the state.
   */
  update: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    changes: Type.Partial(Type.Object(fields)),
    nameClaim: Type.Optional(NameClaim),
    expecting: ExpectedRevisions,
  }),
};
