import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import type { Effects, MessageOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { absent } from '../account/scope.ts';
import { Role, UserSource } from '../user/messages.ts';
import type { invitationMessages } from './messages.ts';

/** How long an acceptance has to make the user; one that dies half-way leaves the invitation open after it. */
export const TAKEN_FOR_MS = 60_000;

export const InvitationState = Type.Object({
  /** '' while nothing was created. */
  accountId: Type.String(),
  /** Of whoever is invited; '' once it has ended. */
  email: Type.String(),
  name: Type.String(),
  role: Role,
  source: UserSource,
  /** SHA-256 (hex) of the token in the link; '' once it has ended. */
  tokenHash: Type.String(),
  /** Id of the user whose right it stands on. */
  invitedBy: Type.String(),
  status: Type.Enum(['absent', 'open', 'accepted', 'revoked']),
  /** The acceptance under way. */
  taken: Type.Union([Type.Object({ claim: Type.String(), untilMs: Type.Integer() }), Type.Null()]),
  /** ms since the epoch. */
  expiresAtMs: Type.Integer({ minimum: 0 }),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
});
export type InvitationState = Static<typeof InvitationState>;

export const noInvitation: InvitationState = {
  accountId: '',
  email: '',
  name: '',
  role: 'member',
  source: null,
  tokenHash: '',
  invitedBy: '',
  status: 'absent',
  taken: null,
  expiresAtMs: 0,
  createdAt: '',
};

export function reduceInvitation(
  state: InvitationState,
  message: MessageOf<typeof invitationMessages>,
  context: Context,
): Effects<InvitationState> | Rejection {
  if (message.type === 'create') {
    if (state.status !== 'absent') {
      return state.accountId === message.body.accountId ? { reply: state } : reject('CONFLICT', 'The id is taken.');
    }
    const created: InvitationState = {
      ...noInvitation,
      ...message.body,
      status: 'open',
      createdAt: new Date(context.nowMs).toISOString(),
    };
    return { state: created, reply: created };
  }
  if (message.type === 'let-go') {
    return state.taken?.claim === message.body.claim ? { state: { ...state, taken: null } } : {};
  }
  if (state.status !== 'open') return absent('The invitation');
  switch (message.type) {
    case 'renew': {
      const { atMs, ...renewing } = message.body;
      if (isTaken(state, atMs)) return beingAccepted();
      const renewed = { ...state, ...renewing, taken: null };
      return { state: renewed, reply: renewed };
    }
    case 'revoke':
      if (isTaken(state, message.body.atMs)) return beingAccepted();
      return { state: ended(state, 'revoked'), reply: null };
    case 'take': {
      const { tokenHash, claim, atMs } = message.body;
      if (tokenHash !== state.tokenHash || state.expiresAtMs <= atMs) return absent('The invitation');
      if (isTaken(state, atMs) && state.taken?.claim !== claim) return beingAccepted();
      const taken = { ...state, taken: { claim, untilMs: atMs + TAKEN_FOR_MS } };
      return { state: taken, reply: taken };
    }
    case 'accept':
      if (state.taken?.claim !== message.body.claim) return beingAccepted();
      return { state: ended(state, 'accepted'), reply: null };
  }
}

function isTaken({ taken }: InvitationState, atMs: number): boolean {
  return taken !== null && atMs < taken.untilMs;
}

function beingAccepted(): Rejection {
  return reject('CONFLICT', 'The invitation is being accepted right now.');
}

/** Who was invited stands with the user, if there is one, and nowhere else. */
function ended(state: InvitationState, status: 'accepted' | 'revoked'): InvitationState {
  return { ...state, status, email: '', name: '', tokenHash: '', taken: null };
}
