import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { Rejection, reject } from '../../runtime/actor/rejection.ts';
import { notFound } from '../account/scope.ts';
import { initialState, stateProperties } from '../field-table.ts';
import { answerRepeatedCreate, changeReleasingName, changeWithReservedName } from '../name/change.ts';
import { confirmOrRelease, nameId } from '../name/reservation.ts';
import { operatorsAddress } from '../operators/messages.ts';
import { revisionConflict, withNextRevision } from '../revision.ts';
import { userFields } from './fields.ts';
import { userMessages } from './messages.ts';
import {
  confirmSecondFactor,
  enrolSecondFactor,
  removeSecondFactor,
  resealSecondFactor,
  resetSecondFactor,
  useSecondFactor,
} from './second-factor.ts';

export const UserState = Type.Object(stateProperties(userFields));
export type UserState = Static<typeof UserState>;

export const noUser: UserState = initialState(userFields);

/**
 * The id of an email as a name. An email belongs to one user in the whole exchange, because a login names no account.
 */
export function emailNameId(email: string): string {
  return nameId('exchange', 'user', email);
}

/** Whether the user may log in. */
export function isActive({ status }: Pick<UserState, 'status'>): boolean {
  return status === 'active' || status === 'confined';
}

function activeStatusOf({ role }: Pick<UserState, 'role'>): 'active' | 'confined' {
  return role === 'source' ? 'confined' : 'active';
}

/** The term in which the user, as an operator, may announce to leave. */
export function operatorTermOf({ operatorTerm = 0 }: Pick<UserState, 'operatorTerm'>): number {
  return operatorTerm;
}

/** Whether the user is an operator now. */
export function isActiveOperator({ role, status }: Pick<UserState, 'role' | 'status'>): boolean {
  return role === 'operator' && status === 'active';
}

export const userHandlers = handlersOf(UserState, userMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.status !== 'absent') return answerRepeatedCreate(state, fields.accountId);
    if ((fields.role === 'source') !== Boolean(fields.source)) {
      return reject('VALIDATION_ERROR', 'The role source is for users of a source.', { field: 'source' });
    }
    const createdAt = new Date(context.nowMs).toISOString();
    const created: UserState = { ...noUser, ...fields, status: activeStatusOf(fields), createdAt };
    return withOperatorsNotice(
      state,
      changeWithReservedName(created, emailNameId(created.email), nameClaim, context),
      context,
    );
  },
  update(state, { changes, nameClaim, expecting, leavingInTerm }, context) {
    if (isGone(state)) return notFound('The user');
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    if (state.role === 'source' && changes.role !== undefined) {
      return reject('CONFLICT', 'A user of a source has no other role: invite whom the account is for.');
    }
    const ends = changes.passwordHash !== undefined || changes.status === 'disabled';
    const status = changes.status === 'active' ? activeStatusOf(state) : (changes.status ?? state.status);
    const updated = { ...state, ...changes, status, sessionEpoch: state.sessionEpoch + (ends ? 1 : 0) };
    return withOperatorsNotice(
      state,
      changeWithReservedName(updated, emailNameId(updated.email), nameClaim, context),
      context,
      leavingInTerm,
    );
  },
  'change-password'(state, { provenHash, passwordHash }, context) {
    if (isGone(state)) return notFound('The user');
    if (state.passwordHash !== provenHash) return reject('CONFLICT', 'The password was changed meanwhile.');
    const changed = withNextRevision({ ...state, passwordHash, sessionEpoch: state.sessionEpoch + 1 }, context);
    return { state: changed, reply: changed };
  },
  remove(state, { expecting, leavingInTerm }, context) {
    if (state.status === 'absent') return notFound('The user');
    if (state.status === 'removed') return { reply: state };
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    const { accountId, borneName, revision, createdAt } = state;
    const removed: UserState = { ...noUser, accountId, borneName, revision, createdAt, status: 'removed' };
    return withOperatorsNotice(state, changeReleasingName(removed, context), context, leavingInTerm);
  },
  'answer-for-leave'(state, { term }, context) {
    if (!isActiveOperator(state)) return { sends: [leftNotice(state, context)] };
    const operatorTerm = Math.max(operatorTermOf(state), term + 1);
    const body = { userId: context.id, term: operatorTerm - 1 };
    return { state: { ...state, operatorTerm }, sends: [{ to: operatorsAddress, type: 'stay', body }] };
  },
  'enrol-second-factor': (state, body) => (isGone(state) ? notFound('The user') : enrolSecondFactor(state, body)),
  'confirm-second-factor': (state, body, context) =>
    isGone(state) ? notFound('The user') : confirmSecondFactor(state, body, context),
  'use-second-factor': (state, body) => (isGone(state) ? notFound('The user') : useSecondFactor(state, body)),
  'remove-second-factor': (state, body, context) =>
    isGone(state) ? notFound('The user') : removeSecondFactor(state, body, context),
  'reset-second-factor': (state, body, context) =>
    isGone(state) ? notFound('The user') : resetSecondFactor(state, body, context),
  'reseal-second-factor': (state, body) => (isGone(state) ? notFound('The user') : resealSecondFactor(state, body)),
  'answer-for-claim': (state, body, context) => ({ sends: confirmOrRelease(state.borneName, body, context) }),
});

/** Whether the user does not exist, or was removed. */
function isGone({ status }: UserState): boolean {
  return status === 'absent' || status === 'removed';
}

/**
 * Adds to every change a message to the list of operators that says whether this user is one, so that a repetition
 * corrects the list. Refuses an operator's change to none when the list has not agreed to it in the present term.
 */
function withOperatorsNotice(
  before: UserState,
  change: Effects<UserState, UserState> | Rejection,
  context: Context,
  leavingInTerm?: number,
): Effects<UserState, UserState> | Rejection {
  if (change instanceof Rejection || !change.state) return change;
  const { state, sends = [] } = change;
  if (isActiveOperator(state)) {
    const notice: Send = { to: operatorsAddress, type: 'join', body: { userId: context.id } };
    return { ...change, sends: [...sends, notice] };
  }
  if (!isActiveOperator(before)) return change;
  const term = operatorTermOf(before);
  if (leavingInTerm !== term) return reject('CONFLICT', 'Meanwhile the operators have changed; ask again.');
  const next = { ...state, operatorTerm: term + 1 };
  return { state: next, reply: next, sends: [...sends, leftNotice(next, context)] };
}

/** For a user who is no operator: all terms before the present one are over. */
function leftNotice(state: UserState, { id: userId }: Context): Send {
  return { to: operatorsAddress, type: 'left', body: { userId, term: Math.max(0, operatorTermOf(state) - 1) } };
}
