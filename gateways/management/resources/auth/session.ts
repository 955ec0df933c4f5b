import Type, { type Static } from 'typebox';
import { ApiError } from '../../../errors.ts';
import type { Caller, Credential } from '../../identity/caller.ts';
import { User } from '../users/user.ts';

export const Session = Type.Object(
  {
    user: User,
    expires_at: Type.String({ format: 'date-time', description: 'When the session ends if it is not used again.' }),
  },
  { title: 'Session' },
);
export type Session = Static<typeof Session>;

/** The session with which a caller asks whom a route for sessions has let in. */
export function sessionOf({ by }: Caller): Extract<Credential, { kind: 'session' }> {
  if (by.kind !== 'session') throw new ApiError('FORBIDDEN');
  return by;
}
