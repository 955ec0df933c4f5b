import Type, { type Static } from 'typebox';
import { NameClaim, nameHolderMessages } from '../name/reservation.ts';
import { ExpectedRevisions } from '../revision.ts';
import { secondFactorMessages } from './second-factor.ts';

/** Of users who act for an account. */
const AccountRole = Type.Enum(['member', 'operator']);

/** `source`: of a source's own people, who see that source alone. */
export const Role = Type.Enum(['member', 'operator', 'source']);

/** The supply or demand source whose people a user with the role `source` is of; null for all others. */
export const UserSource = Type.Union([
  Type.Object({ type: Type.Enum(['publisher', 'dsp']), id: Type.String({ minLength: 1 }) }),
  Type.Null(),
]);
export type UserSource = Static<typeof UserSource>;

/** As written by whoever hashed it: algorithm, parameters, salt and hash in one text. Never the password. */
const PasswordHash = Type.String({ minLength: 1 });

export const userMessages = {
  ...nameHolderMessages,
  ...secondFactorMessages,
  /**
   * Answers the state. A user that exists under the same account stays as it is and answers its state. VALIDATION_ERROR for the role
   * `source` without a source, and for a source with another role.
   */
  create: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    email: Type.String({ minLength: 1 }),
    name: Type.String(),
    role: Role,
    source: Type.Optional(UserSource),
    passwordHash: PasswordHash,
    nameClaim: NameClaim,
  }),
  /**
   * What an operator changes; only the fields given change. A new password and being disabled end all sessions.
   * `nameClaim` is needed when the email becomes another (else NAME_NOT_CLAIMED). CONFLICT for another role of a user of a source, who
   * stays with it. Answers the state.
   */
  update: Type.Object({
    changes: Type.Partial(
      Type.Object({
        email: Type.String({ minLength: 1 }),
        name: Type.String(),
        role: AccountRole,
        status: Type.Enum(['active', 'disabled']),
        passwordHash: PasswordHash,
      }),
    ),
    nameClaim: Type.Optional(NameClaim),
    expecting: ExpectedRevisions,
  }),
  /**
   * What a user changes, who has shown the password whose hash is `provenHash`: CONFLICT when that is not the password
   * any more. Ends all sessions. Answers the state.
   */
  'change-password': Type.Object({ provenHash: PasswordHash, passwordHash: PasswordHash }),
  /** For good; frees the email and forgets who it was. Answers the state, again when removed before. */
  remove: Type.Object({ expecting: ExpectedRevisions }),
};
