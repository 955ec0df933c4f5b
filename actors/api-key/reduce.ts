import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import type { Effects, MessageOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { absent } from '../account/scope.ts';
import type { apiKeyMessages } from './messages.ts';

export const ApiKeyState = Type.Object({
  /** '' while the key was never registered. */
  accountId: Type.String(),
  environment: Type.Enum(['live', 'sandbox']),
  name: Type.String(),
  hint: Type.String(),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  revokedAt: Type.Union([Type.String(), Type.Null()]),
});
export type ApiKeyState = Static<typeof ApiKeyState>;

export const noApiKey: ApiKeyState = {
  accountId: '',
  environment: 'sandbox',
  name: '',
  hint: '',
  createdAt: '',
  revokedAt: null,
};

export function reduceApiKey(
  state: ApiKeyState,
  message: MessageOf<typeof apiKeyMessages>,
  context: Context,
): Effects<ApiKeyState> | Rejection {
  const now = new Date(context.nowMs).toISOString();
  switch (message.type) {
    case 'create': {
      if (state.accountId === '') {
        const created = { ...message.body, createdAt: now, revokedAt: null };
        return { state: created, reply: created };
      }
      if (state.accountId !== message.body.accountId) return reject('CONFLICT', 'This key belongs to another account.');
      return { reply: state };
    }
    case 'revoke': {
      if (state.accountId === '' || state.accountId !== message.body.accountId) return absent('The API key');
      if (state.revokedAt !== null) return { reply: state };
      const revoked = { ...state, revokedAt: now };
      return { state: revoked, reply: revoked };
    }
  }
}
