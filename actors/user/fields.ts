import Type, { type Static } from 'typebox';
import { Name, Nullable, Uuid } from '../api-schemas.ts';
import { defineFields } from '../field-table.ts';
import { ReservedName } from '../name/reservation.ts';
import { resourceTimes, revision } from '../resource-fields.ts';
import { confirmedFactor, SecondFactor } from './second-factor.ts';

/** The roles. `source` is for a source's own people, who see that source alone. */
export const Role = Type.Enum(['member', 'operator', 'source']);

/** The roles of users who act for an account. */
const AccountRole = Type.Enum(['member', 'operator']);

const SourceType = Type.Enum(['publisher', 'dsp']);

/** The supply or demand source of a user with the role `source`; null for all others. */
export const UserSource = Nullable(Type.Object({ type: SourceType, id: Type.String({ minLength: 1 }) }));
export type UserSource = Static<typeof UserSource>;

const emailPart = '[^\\s@\\u0000-\\u001f\\u007f]+';

export const Email = Type.String({
  maxLength: 254,
  pattern: `^${emailPart}@${emailPart}$`,
  description: 'An email address that no other user of the exchange has, capitals aside.',
});

/**
 * A user, field by field. A password is no row: callers write it in plain text, and its hash alone is told and stored.
 */
export const userFields = defineFields({
  id: { api: { name: 'id', shown: Uuid, example: '0d8f2c1e-5b7a-4f57-9a63-2f1c9a4be001' } },
  /** '' while nothing was created. */
  accountId: {
    state: Type.String(),
    initial: '',
    api: {
      name: 'account_id',
      shown: Type.String({ description: 'The account on whose behalf the user acts.' }),
      example: '00000000-0000-4000-8000-000000000001',
    },
  },
  email: {
    state: Type.String(),
    message: Type.String({ minLength: 1 }),
    initial: '',
    api: { name: 'email', shown: Type.String(), written: Email, required: true, example: 'ann@publisher.example' },
  },
  borneName: { state: ReservedName, initial: null },
  name: {
    state: Type.String(),
    initial: '',
    api: { name: 'name', shown: Type.String(), written: Name, example: 'Ann' },
  },
  role: {
    state: Role,
    message: AccountRole,
    initial: 'member',
    api: {
      name: 'role',
      shown: Type.Enum(Role.enum, {
        description: '`source`: of the own people of a supply or demand source, who see that source alone.',
      }),
      written: Type.Enum(AccountRole.enum, {
        description: 'An operator runs the exchange: fees, tiers, users. By default `member`.',
      }),
      example: 'member',
    },
  },
  /** Null where it is absent, in states of 0.4. Set for the role `source` and for no other. */
  source: {
    state: Type.Optional(UserSource),
    initial: null,
    absent: null,
    api: {
      name: 'source',
      shown: Nullable(
        Type.Object(
          { type: SourceType, id: Uuid },
          { description: 'Of the role `source`: whose people the user is of.' },
        ),
      ),
      example: null,
    },
  },
  /**
   * `confined`: active, with the role `source`. Release 0.4, which knows no such users, then lets the user in nowhere,
   * so not as a user of the account either.
   */
  status: {
    state: Type.Enum(['absent', 'active', 'confined', 'disabled', 'removed']),
    initial: 'absent',
    api: {
      name: 'status',
      shown: Type.Enum(['active', 'disabled']),
      example: 'active',
      toApi: (status: string) => (status === 'confined' ? 'active' : status),
    },
  },
  passwordHash: { state: Type.String(), initial: '' },
  /** Sessions that were opened under an earlier epoch have ended. */
  sessionEpoch: { state: Type.Integer({ minimum: 0 }), initial: 0 },
  /**
   * A term as an operator: it ends when the user ceases to be one, and when the user answers that it stays. What was
   * agreed about leaving in an earlier term is void. Absent in states of 0.4.
   */
  operatorTerm: { state: Type.Optional(Type.Integer({ minimum: 0 })), initial: 0, absent: 0 },
  /** Absent in states of 0.4. */
  secondFactor: {
    state: Type.Optional(Nullable(SecondFactor)),
    initial: null,
    absent: null,
    api: {
      name: 'second_factor',
      shown: Type.Boolean({ description: 'Whether logging in asks for a code beside the password.' }),
      example: false,
      toApi: (secondFactor: SecondFactor | null) => confirmedFactor({ secondFactor }) !== null,
    },
  },
  revision,
  ...resourceTimes,
});
