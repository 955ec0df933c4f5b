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
  update(state, { changes, nameClaim, expecting }, context) {
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
    );
  },
  'change-password'(state, { provenHash, passwordHash }, context) {
    if (isGone(state)) return notFound('The user');
    if (state.passwordHash !== provenHash) return reject('CONFLICT', 'The password was changed meanwhile.');
    const changed = withNextRevision({ ...state, passwordHash, sessionEpoch: state.sessionEpoch + 1 }, context);
    return { state: changed, reply: changed };
  },
  remove(state, { expecting }, context) {
    if (state.status === 'absent') return notFound('The user');
    if (state.status === 'removed') return { reply: state };
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    const { accountId, borneName, revision, createdAt } = state;
    const removed: UserState = { ...noUser, accountId, borneName, revision, createdAt, status: 'removed' };
    return withOperatorsNotice(state, changeReleasingName(removed, context), context);
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
 * corrects the list.
 */
function withOperatorsNotice(
  before: UserState,
  change: Effects<UserState, UserState> | Rejection,
  context: Context,
): Effects<UserState, UserState> | Rejection {
  if (change instanceof Rejection || !change.state) return change;
  const is = isActiveOperator(change.state);
  if (!is && !isActiveOperator(before)) return change;
  const notice: Send = { to: operatorsAddress, type: is ? 'join' : 'left', body: { userId: context.id } };
  return { ...change, sends: [...(change.sends ?? []), notice] };
}
