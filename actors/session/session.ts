import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { sessionMessages } from './messages.ts';

export const SessionState = Type.Object({
  /** '' while it was never opened. */
  userId: Type.String(),
  /** The user's `sessionEpoch` when the session was opened: the session ends when that rises. */
  epoch: Type.Integer({ minimum: 0 }),
  /** ms since the epoch, by the gateways' clock. */
  openedAtMs: Type.Integer({ minimum: 0 }),
  lastSeenAtMs: Type.Integer({ minimum: 0 }),
});
export type SessionState = Static<typeof SessionState>;

const noSession: SessionState = { userId: '', epoch: 0, openedAtMs: 0, lastSeenAtMs: 0 };

/**
 * A session: a browser in which a user is logged in. Id: the SHA-256 (hex) of its token; the token itself is stored
 * nowhere.
 */
export const session = defineActor({
  kind: 'session',
  schemaVersion: 1,
  saving: 'eager',
  audit: {
    entry: 'message',
    none: { expire: 'It ends by time alone.', touch: 'It is the use of a session, and changes nothing else.' },
  },
  state: SessionState,
  messages: sessionMessages,
  initial: () => noSession,
  handlers: {
    open(state, { userId, epoch, atMs }) {
      if (state.userId !== '') return { reply: state };
      const opened = { userId, epoch, openedAtMs: atMs, lastSeenAtMs: atMs };
      return { state: opened, reply: opened };
    },
    touch(state, { atMs }) {
      if (state.userId === '' || atMs <= state.lastSeenAtMs) return {};
      return { state: { ...state, lastSeenAtMs: atMs } };
    },
    end: (state) => (state.userId === '' ? { reply: null } : { state: null, reply: null }),
    revoke: (state, { userId }) => (state.userId === userId ? { state: null, reply: null } : { reply: null }),
    expire: (state, { unusedSinceMs }) =>
      state.userId === '' || state.lastSeenAtMs > unusedSinceMs ? {} : { state: null },
  },
  indexes: ['userId'],
});
