import Type, { type Static } from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { shownProperties, toApi, writtenProperties } from '#actors/field-table';
import { userFields } from '#actors/user/fields';
import { isActive, type UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';

/** A user as the API shows it. */
export const User = Type.Object(shownProperties(userFields), { title: 'User' });
export type User = Static<typeof User>;

const shortestPassword = 12;
/** The largest length of a password: enough for any pass phrase, so that a longer text is a mistake. */
export const longestPassword = 256;
/** A password that a user chooses. */
export const NewPassword = Type.String({
  minLength: shortestPassword,
  maxLength: longestPassword,
  description: `At least ${shortestPassword} characters.`,
});

const { email, ...others } = writtenProperties(userFields);

/** The fields that an operator may write. */
export const operatorFields = { email, password: NewPassword, ...others };

export const UserParams = Type.Object({ id: Uuid });

export function showUser(id: string, state: UserState): User {
  if (!isActive(state) && state.status !== 'disabled') throw new ApiError('CONFLICT', 'The user was removed.');
  return toApi(userFields, state, { id });
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
