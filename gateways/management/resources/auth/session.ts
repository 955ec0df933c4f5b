import Type, { type Static } from 'typebox';
import { Nullable, Uuid } from '#actors/api-schemas';
import type { UserState } from '#actors/user/reduce';
import type { ManagementDeps } from '../../deps.ts';
import { showUser, User } from '../users/user.ts';

export const Session = Type.Object(
  {
    user: User,
    source: Nullable(
      Type.Object(
        {
          type: Type.Enum(['publisher', 'dsp']),
          id: Uuid,
          name: Type.String(),
          sandbox: Type.Boolean({
            description: 'Whether it is in the sandbox: its people read its sandbox books then.',
          }),
        },
        { description: 'Of a user with the role `source`: what the session sees, and all that it sees.' },
      ),
    ),
    expires_at: Type.String({ format: 'date-time', description: 'When the session ends if it is not used again.' }),
  },
  { title: 'Session' },
);
type Session = Static<typeof Session>;

/**
 * The session of this user as the API shows it; it ends at the given instant (ms since the epoch) if it is not used
 * again.
 */
export async function showSession(
  { store }: Pick<ManagementDeps, 'store'>,
  userId: string,
  state: UserState,
  endsAtMs: number,
): Promise<Session> {
  const user = showUser(userId, state);
  const expires = new Date(endsAtMs).toISOString();
  if (!state.source) return { user, source: null, expires_at: expires };
  const { type, id } = state.source;
  const [document] = await store.load([{ kind: type, id }]);
  const { name, sandbox } = document!.state as { name: string; sandbox: boolean };
  return { user, source: { type, id, name, sandbox }, expires_at: expires };
}
