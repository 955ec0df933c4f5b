import Type, { type Static } from 'typebox';
import { Name, Nullable, Timestamp, Uuid } from '#actors/api-schemas';
import { Role } from '#actors/user/messages';
import { isActive, type UserState } from '#actors/user/reduce';
import { confirmedFactor } from '#actors/user/second-factor';
import { user } from '#actors/user/user';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';

/** A user as the API shows it. */
export const User = Type.Object(
  {
    id: Uuid,
    account_id: Type.String({ description: 'The account on whose behalf the user acts.' }),
    email: Type.String(),
    name: Type.String(),
    role: Type.Enum(Role.enum, {
      description: '`source`: of the own people of a supply or demand source, who see that source alone.',
    }),
    source: Nullable(
      Type.Object(
        { type: Type.Enum(['publisher', 'dsp']), id: Uuid },
        { description: 'Of the role `source`: whose people the user is of.' },
      ),
    ),
    status: Type.Enum(['active', 'disabled']),
    second_factor: Type.Boolean({ description: 'Whether logging in asks for a code beside the password.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'User' },
);
export type User = Static<typeof User>;

const emailPart = '[^\\s@\\u0000-\\u001f\\u007f]+';

export const Email = Type.String({
  maxLength: 254,
  pattern: `^${emailPart}@${emailPart}$`,
  description: 'An email address that no other user of the exchange has, capitals aside.',
});
const shortestPassword = 12;
/** The largest length of a password: enough for any pass phrase, so that a longer text is a mistake. */
export const longestPassword = 256;
/** A password that a user chooses. */
export const NewPassword = Type.String({
  minLength: shortestPassword,
  maxLength: longestPassword,
  description: `At least ${shortestPassword} characters.`,
});

/** The fields that an operator may write. */
export const userFields = {
  email: Email,
  password: NewPassword,
  name: Type.Optional(Name),
  role: Type.Optional(
    Type.Enum(['member', 'operator'], {
      description: 'An operator runs the exchange: fees, tiers, users. By default `member`.',
    }),
  ),
};

export const UserParams = Type.Object({ id: Uuid });

export function showUser(id: string, state: UserState): User {
  if (!isActive(state) && state.status !== 'disabled') throw new ApiError('CONFLICT', 'The user was removed.');
  return {
    id,
    account_id: state.accountId,
    email: state.email,
    name: state.name,
    role: state.role,
    source: state.source ?? null,
    status: isActive(state) ? 'active' : 'disabled',
    second_factor: confirmedFactor(state) !== null,
    created_at: state.createdAt,
    updated_at: state.updatedAt,
  };
}

/** Loads any user of the exchange; NOT_FOUND for one that never existed or was removed. */
export async function loadUser({ store }: Pick<ManagementDeps, 'store'>, id: string): Promise<UserState> {
  const [document] = await store.load([{ kind: user.kind, id }]);
  const state = (document?.state ?? null) as UserState | null;
  if (state === null || state.status === 'absent' || state.status === 'removed') {
    throw new ApiError('NOT_FOUND', 'The user does not exist.');
  }
  return state;
}
