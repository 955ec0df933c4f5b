import Type, { type Static } from 'typebox';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { notFound } from '../account/scope.ts';
import { apiKeyMessages } from './messages.ts';
import { hasExpired } from './projection.ts';

/**
 * The time in ms that a rotation has from its beginning to the end of the old key; one that dies half-way leaves the
 * old key as it was, and another may begin after it.
 */
export const ROTATION_HOLD_MS = 60_000;

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
  /**
   * The newest rotation, by the id in the API of the new key. Others may begin one from `untilMs` on, by the gateways'
   * clock, unless it has come to its end (`replaced`). Absent: none was begun, or by an older release.
   */
  rotation: Type.Optional(Type.Object({ successor: Type.String(), untilMs: Type.Integer({ minimum: 0 }) })),
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
  'begin-rotation'(state, { accountId, successor, atMs }) {
    if (isForeign(state, accountId)) return notFound('The API key');
    const { rotation, replaced, revokedAt } = state;
    const isOwn = rotation?.successor === successor;
    if (replaced) return isOwn ? { reply: state } : reject('CONFLICT', 'The API key was rotated already.');
    if (revokedAt !== null || hasExpired(state, atMs)) return reject('CONFLICT', 'The API key has ended.');
    if (!isOwn && rotation !== undefined && atMs < rotation.untilMs) {
      return reject('CONFLICT', 'The API key is being rotated right now.');
    }
    const begun: ApiKeyState = { ...state, rotation: { successor, untilMs: atMs + ROTATION_HOLD_MS } };
    return { state: begun, reply: begun };
  },
  revoke(state, { accountId, successor }, { nowMs }) {
    return ended(state, accountId, successor, { revokedAt: new Date(nowMs).toISOString() });
  },
  retire(state, { accountId, atMs, successor }) {
    const expiresAtMs = Math.min(atMs, state.expiresAtMs ?? atMs);
    return ended(state, accountId, successor, { expiresAtMs, replaced: true });
  },
});

function isForeign(state: ApiKeyState, accountId: string): boolean {
  return state.accountId === '' || state.accountId !== accountId;
}

/** The end of a key, for the sake of the successor if one is named; one that was revoked already ends no other way. */
function ended(
  state: ApiKeyState,
  accountId: string,
  successor: string | undefined,
  changes: Partial<ApiKeyState>,
): Effects<ApiKeyState, ApiKeyState> | Rejection {
  if (isForeign(state, accountId)) return notFound('The API key');
  const isRevoked = state.revokedAt !== null;
  if (successor === undefined && isRevoked) return { reply: state };
  if (successor !== undefined && state.rotation?.successor !== successor) {
    return reject('CONFLICT', 'Another rotation of the API key was begun meanwhile.');
  }
  const next = { ...state, ...(isRevoked ? {} : changes), ...(successor === undefined ? {} : { replaced: true }) };
  return { state: next, reply: next };
}
