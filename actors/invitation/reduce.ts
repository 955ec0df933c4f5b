import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { notFound } from '../account/scope.ts';
import { confirmOrRelease, isAboutToLapse } from '../name/reservation.ts';
import { Role, UserSource } from '../user/fields.ts';
import { invitationMessages } from './messages.ts';

/**
 * The time in ms that an acceptance has to make the user; an acceptance that dies half-way leaves the invitation open
 * after it.
 */
export const ACCEPTANCE_HOLD_MS = 60_000;

export const InvitationState = Type.Object({
  /** '' while nothing was created. */
  accountId: Type.String(),
  /** The email of the invited person; '' once the invitation has ended. */
  email: Type.String(),
  name: Type.String(),
  role: Role,
  source: UserSource,
  /** The SHA-256 (hex) of the token in the link; '' once the invitation has ended. */
  tokenHash: Type.String(),
  /** The id of the user whose permission it rests on. */
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

export const invitationHandlers = handlersOf(InvitationState, invitationMessages, {
  create(state, { emailClaim, ...body }, context) {
    if (state.status !== 'absent') {
      return state.accountId === body.accountId ? { reply: state } : reject('CONFLICT', 'The id is taken.');
    }
    if (emailClaim !== undefined && isAboutToLapse(emailClaim, context)) {
      return reject('CONFLICT', 'Somebody else may have invited the email meanwhile; ask again.');
    }
    const createdAt = new Date(context.nowMs).toISOString();
    const created: InvitationState = { ...noInvitation, ...body, status: 'open', createdAt };
    return { state: created, reply: created };
  },
  renew(state, { atMs, ...renewing }) {
    if (state.status !== 'open') return notFound('The invitation');
    if (isTaken(state, atMs)) return beingAccepted();
    const renewed = { ...state, ...renewing, taken: null };
    return { state: renewed, reply: renewed };
  },
  revoke(state, { atMs }) {
    if (state.status !== 'open') return notFound('The invitation');
    if (isTaken(state, atMs)) return beingAccepted();
    return { state: ended(state, 'revoked'), reply: null };
  },
  take(state, { tokenHash, claim, atMs }) {
    if (state.status !== 'open') return notFound('The invitation');
    if (tokenHash !== state.tokenHash || state.expiresAtMs <= atMs) return notFound('The invitation');
    if (isTaken(state, atMs) && state.taken?.claim !== claim) return beingAccepted();
    const taken = { ...state, taken: { claim, untilMs: atMs + ACCEPTANCE_HOLD_MS } };
    return { state: taken, reply: taken };
  },
  'let-go': (state, { claim }) => (state.taken?.claim === claim ? { state: { ...state, taken: null } } : {}),
  accept(state, { claim }) {
    if (state.status !== 'open') return notFound('The invitation');
    if (state.taken?.claim !== claim) return beingAccepted();
    return { state: ended(state, 'accepted'), reply: null };
  },
  'answer-for-claim': (_state, body, context) => ({ sends: confirmOrRelease(null, body, context) }),
});

function isTaken({ taken }: InvitationState, atMs: number): boolean {
  return taken !== null && atMs < taken.untilMs;
}

function beingAccepted(): Rejection {
  return reject('CONFLICT', 'The invitation is being accepted right now.');
}

/** Ends the invitation. The invited person's name and email stay with the user, if there is one, and nowhere else. */
function ended(state: InvitationState, status: 'accepted' | 'revoked'): InvitationState {
  return { ...state, status, email: '', name: '', tokenHash: '', taken: null };
}
