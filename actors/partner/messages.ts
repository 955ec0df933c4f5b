import Type from 'typebox';
import { messageProperties } from '../field-table.ts';
import { bearerMessages, Claim } from '../name/bearing.ts';
import { Expecting } from '../revision.ts';
import { partnerFields } from './fields.ts';

const fields = messageProperties(partnerFields);

export const partnerMessages = {
  ...bearerMessages,
  /** Answers the state. A partner that exists under the same account stays as it is and answers its state. */
  create: Type.Object({ accountId: Type.String({ minLength: 1 }), ...fields, nameClaim: Claim }),
  /**
   * Only the fields given change; another name needs its `nameClaim` (else NAME_NOT_CLAIMED). Not the expected revision:
   * PRECONDITION_FAILED. Answers the state.
   */
  update: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    changes: Type.Partial(Type.Object(fields)),
    nameClaim: Type.Optional(Claim),
    expecting: Expecting,
  }),
};
