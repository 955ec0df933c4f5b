import Type, { type Static } from 'typebox';
import { defineActor, type Effects, type MessageOf } from '../../runtime/actor/define-actor.ts';
import { sessionMessages } from './messages.ts';

export const SessionState = Type.Object({
  /** '' while it was never opened. */
  userId: Type.String(),
  /** The user's `sessionEpoch` when it was opened: it ends when that rises. */
  epoch: Type.Integer({ minimum: 0 }),
  /** ms since the epoch, by the gateways' clock. */
  openedAtMs: Type.Integer({ minimum: 0 }),
  lastSeenAtMs: Type.Integer({ minimum: 0 }),
});
export type SessionState = Static<typeof SessionState>;

const noSession: SessionState = { userId: '', epoch: 0, openedAtMs: 0, lastSeenAtMs: 0 };

/** A browser in which a user is logged in. Id: the SHA-256 (hex) of its token; the token itself is kept nowhere. */
export const session = defineActor({
  kind: 'session',
  schemaVersion: 1,
  saving: 'eager',
  state: SessionState,
  messages: sessionMessages,
  initial: () => noSession,
  handle: reduceSession,
  indexes: ['userId'],
});

function reduceSession(state: SessionState, message: MessageOf<typeof sessionMessages>): Effects<SessionState> {
  switch (message.type) {
    case 'open': {
      const { userId, epoch, atMs } = message.body;
      if (state.userId !== '') return { reply: state };
      const opened = { userId, epoch, openedAtMs: atMs, lastSeenAtMs: atMs };
      return { state: opened, reply: opened };
    }
    case 'touch': {
      const { atMs } = message.body;
      if (state.userId === '' || atMs <= state.lastSeenAtMs) return {};
      return { state: { ...state, lastSeenAtMs: atMs } };
    }
    case 'end':
      return state.userId === '' ? { reply: null } : { state: null, reply: null };
    case 'revoke':
      return state.userId === message.body.userId ? { state: null, reply: null } : { reply: null };
    case 'expire':
      return state.userId === '' || state.lastSeenAtMs > message.body.unusedSinceMs ? {} : { state: null };
  }
}
