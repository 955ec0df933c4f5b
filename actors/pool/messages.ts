import Type from 'typebox';
import { Scope } from '../account/scope.ts';
import { messageProperties } from '../field-table.ts';
import { NameClaim, nameHolderMessages } from '../name/reservation.ts';
import { ExpectedRevisions } from '../revision.ts';
import { poolFields } from './fields.ts';

const fields = messageProperties(poolFields);

export const poolMessages = {
  ...nameHolderMessages,
  /** Answers the state. A pool that exists under the same account stays as it is and answers its state. */
  create: Type.Object({ accountId: Type.String({ minLength: 1 }), ...fields, nameClaim: NameClaim }),
  /**
   * Changes only the given fields; another name needs its `nameClaim` (otherwise NAME_NOT_CLAIMED). Answers the state.
   */
  update: Type.Object({
    scope: Scope,
    changes: Type.Partial(Type.Object(fields)),
    nameClaim: Type.Optional(NameClaim),
    expecting: ExpectedRevisions,
  }),
};
