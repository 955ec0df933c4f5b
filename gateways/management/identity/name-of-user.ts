import type { UserState } from '../../../actors/user/reduce.ts';
import { user } from '../../../actors/user/user.ts';
import type { ManagementDeps } from '../deps.ts';
import type { Caller } from './caller.ts';

/** The display name of the user of a session, also when the user was removed. */
export async function nameOfUser({ store }: Pick<ManagementDeps, 'store'>, { by }: Caller): Promise<string> {
  if (by.kind !== 'session') throw new Error('not a session');
  const [document] = await store.load([{ kind: user.kind, id: by.userId }]);
  const { email = '' } = (document?.state ?? {}) as Partial<UserState>;
  return email === '' ? by.userId : `${email} (${by.userId})`;
}
