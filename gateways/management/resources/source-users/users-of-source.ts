import Type, { type Static } from 'typebox';
import { Uuid } from '#actors/api-schemas';
import type { UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import type { RequestIds } from '../../identity/request-ids.ts';
import { type PageQuery, pageOf } from '../../lists/page-of.ts';
import { releaseQuota } from '../../quotas/within-quota.ts';
import { userExample } from '../users/example.ts';
import { loadUser, showUser, User } from '../users/user.ts';

export const SourceUsers = Type.Object({
  users: Type.Array(User, { description: 'The own people of the source, oldest first.' }),
  total: Type.Integer(),
});

export const usersExample: Static<typeof SourceUsers> = {
  users: [
    {
      ...userExample,
      role: 'source',
      source: { type: 'publisher', id: '00000000-0000-4000-8000-00000000000a' },
    },
  ],
  total: 1,
};

export const SourceUserParams = Type.Object({
  id: Uuid,
  user_id: Type.String({ ...Uuid, description: 'The id of the user.' }),
});

interface Source {
  readonly type: 'publisher' | 'dsp';
  readonly id: string;
  readonly accountId: string;
}

/** The users of a source that were not removed, whether or not they may log in. */
export async function sourceUsersOf(
  { store }: Pick<ManagementDeps, 'store'>,
  { type, id, accountId }: Source,
  query: PageQuery,
): Promise<Static<typeof SourceUsers>> {
  const where = { accountId, 'source.id': id, 'source.type': type };
  const { documents, total } = await store.query(user.kind, { where, orderBy: 'createdAt', ...pageOf(query) });
  return { users: documents.map((document) => showUser(document.id, document.state as UserState)), total };
}

/** Removes a user of the source for ever. NOT_FOUND for a user who is not of this source. */
export async function removeSourceUser(
  deps: ManagementDeps,
  { type, id, accountId }: Source,
  userId: string,
  identity: RequestIds,
): Promise<void> {
  const { source } = await loadUser(deps, userId);
  if (source?.type !== type || source.id !== id) throw new ApiError('NOT_FOUND', 'The source has no such user.');
  await deps.messenger.ask(user, userId, 'remove', {}, { requestId: identity.askId() });
  await releaseQuota(deps, { accountId, sandbox: false, resource: 'users', id: userId });
}
