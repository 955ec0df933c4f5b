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
  /** ms since the epoch. From then on it is no key any more; null: it does not expire. */
  expiresAtMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  /** ms since the epoch, to the minute or so; null: never. */
  lastUsedAtMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  revokedAt: Type.Union([Type.String(), Type.Null()]),
  /** Another key was made in its place: it only works until `expiresAtMs`, for the overlap. */
  replaced: Type.Boolean(),
});
export type ApiKeyState = Static<typeof ApiKeyState>;

export const noApiKey: ApiKeyState = {
  accountId: '',
  environment: 'sandbox',
  name: '',
  hint: '',
  createdAt: '',
  expiresAtMs: null,
  lastUsedAtMs: null,
  revokedAt: null,
  replaced: false,
};

export function reduceApiKey(
  state: ApiKeyState,
  message: MessageOf<typeof apiKeyMessages>,
  context: Context,
): Effects<ApiKeyState> | Rejection {
  const now = new Date(context.nowMs).toISOString();
  if (message.type === 'create') {
    if (state.accountId === '') {
      const created = { ...noApiKey, ...message.body, createdAt: now };
      return { state: created, reply: created };
    }
    if (state.accountId !== message.body.accountId) return reject('CONFLICT', 'This key belongs to another account.');
    return { reply: state };
  }

  if (message.type === 'used') {
    const { atMs } = message.body;
    if (state.accountId === '' || atMs <= (state.lastUsedAtMs ?? -1)) return {};
    return { state: { ...state, lastUsedAtMs: atMs } };
  }

  if (state.accountId === '' || state.accountId !== message.body.accountId) return absent('The API key');
  if (state.revokedAt !== null) return { reply: state };
  const changed =
    message.type === 'revoke'
      ? { ...state, revokedAt: now }
      : { ...state, expiresAtMs: Math.min(message.body.atMs, state.expiresAtMs ?? message.body.atMs), replaced: true };
  return { state: changed, reply: changed };
}
