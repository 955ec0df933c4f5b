import Type from 'typebox';
import { messageProperties } from '../field-table.ts';
import { NameClaim, nameHolderMessages } from '../name/reservation.ts';
import { ExpectedRevisions } from '../revision.ts';
import { userFields } from './fields.ts';
import { secondFactorMessages } from './second-factor.ts';

const fields = messageProperties(userFields);

/**
 * The term in which the list of operators has agreed that the user leaves it: needed when an operator would be none
 * after the change, and CONFLICT when that term has ended.
 */
const LeavingInTerm = Type.Optional(Type.Integer({ minimum: 0 }));

/** The hash of a password as text: algorithm, parameters, salt and hash. Never the password. */
const PasswordHash = Type.String({ minLength: 1 });

export const userMessages = {
  ...nameHolderMessages,
  ...secondFactorMessages,
  /**
   * Answers the state. A user that exists under the same account stays as it is and answers its state. VALIDATION_ERROR
   * for the role `source` without a source, and for a source with another role.
   */
  create: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    ...fields,
    role: userFields.role.state,
    source: userFields.source.state,
    passwordHash: PasswordHash,
    nameClaim: NameClaim,
  }),
  /**
   * A change by an operator, of the given fields only. A new password and disabling end all sessions. `nameClaim` is
   * needed when the email changes (otherwise NAME_NOT_CLAIMED). CONFLICT for another role of a user of a source, who
   * keeps that role. Answers the state.
   */
  update: Type.Object({
    changes: Type.Partial(
      Type.Object({
        ...fields,
        status: userFields.status.api.shown,
        passwordHash: PasswordHash,
      }),
    ),
    nameClaim: Type.Optional(NameClaim),
    expecting: ExpectedRevisions,
    leavingInTerm: LeavingInTerm,
  }),
  /**
   * A change by a user who has shown the password with the hash `provenHash`: CONFLICT when that is not the password
   * any more. Ends all sessions. Answers the state.
   */
  'change-password': Type.Object({ provenHash: PasswordHash, passwordHash: PasswordHash }),
  /** Removes the user for good; frees the email and forgets the person. Answers the state, also when removed before. */
  remove: Type.Object({ expecting: ExpectedRevisions, leavingInTerm: LeavingInTerm }),
  /**
   * Sent by the list of operators, which needs to know whether the user still leaves it, as announced in this term. An
   * operator stays: leaving in this term or an earlier one is refused from then on.
   */
  'answer-for-leave': Type.Object({ term: Type.Integer({ minimum: 0 }) }),
};
