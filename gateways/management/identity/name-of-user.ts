import type { UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import type { ManagementDeps } from '../deps.ts';
import type { Caller } from './caller.ts';

/** The user of a session in words: `email (id)`, or the id alone when no email is saved. */
export async function nameOfUser({ store }: Pick<ManagementDeps, 'store'>, { by }: Caller): Promise<string> {
  if (by.kind !== 'session') throw new Error('not a session');
  const [document] = await store.load([{ kind: user.kind, id: by.userId }]);
  const { email = '' } = (document?.state ?? {}) as Partial<UserState>;
  return email === '' ? by.userId : `${email} (${by.userId})`;
}
