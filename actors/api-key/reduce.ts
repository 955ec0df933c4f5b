import Type, { type Static } from 'typebox';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { notFound } from '../account/scope.ts';
import { apiKeyMessages } from './messages.ts';

export const ApiKeyState = Type.Object({
  /** '' while the key was never registered. */
  accountId: Type.String(),
  environment: Type.Enum(['live', 'sandbox']),
  name: Type.String(),
  hint: Type.String(),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  /** The key ends at this instant, ms since the epoch; null: it does not expire. */
  expiresAtMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  /** The last use, ms since the epoch, accurate to about a minute; null: never. */
  lastUsedAtMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  revokedAt: Type.Union([Type.String(), Type.Null()]),
  /** True when another key was made in its place: this one works until `expiresAtMs`, for the overlap. */
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

export const apiKeyHandlers = handlersOf(ApiKeyState, apiKeyMessages, {
  create(state, body, { nowMs }) {
    if (state.accountId === '') {
      const created: ApiKeyState = { ...noApiKey, ...body, createdAt: new Date(nowMs).toISOString() };
      return { state: created, reply: created };
    }
    if (state.accountId !== body.accountId) return reject('CONFLICT', 'This key belongs to another account.');
    return { reply: state };
  },
  used(state, { atMs }) {
    if (state.accountId === '' || atMs <= (state.lastUsedAtMs ?? -1)) return {};
    return { state: { ...state, lastUsedAtMs: atMs } };
  },
  revoke(state, { accountId }, { nowMs }) {
    return changed(state, accountId, { revokedAt: new Date(nowMs).toISOString() });
  },
  retire(state, { accountId, atMs }) {
    const expiresAtMs = Math.min(atMs, state.expiresAtMs ?? atMs);
    return changed(state, accountId, { expiresAtMs, replaced: true });
  },
});

/** The change of a key that works. */
function changed(
  state: ApiKeyState,
  accountId: string,
  changes: Partial<ApiKeyState>,
): Effects<ApiKeyState, ApiKeyState> | Rejection {
  if (state.accountId === '' || state.accountId !== accountId) return notFound('The API key');
  if (state.revokedAt !== null) return { reply: state };
  const next = { ...state, ...changes };
  return { state: next, reply: next };
}
