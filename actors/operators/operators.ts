import Type, { type Static } from 'typebox';
import { defineActor, type Effects, type MessageOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { operatorsMessages } from './messages.ts';

/**
 * Ids of users. Some operator may be missing for a moment (one who has just been made, or one whose going was cut off
 * half-way), but nobody stays here who is none: the roll errs towards refusing that somebody goes.
 */
const OperatorsState = Type.Object({ userIds: Type.Array(Type.String()) });
type OperatorsState = Static<typeof OperatorsState>;

/** The roll of those who run the exchange, so that the last of them cannot go. One actor: `operators/all`. */
export const operators = defineActor({
  kind: 'operators',
  schemaVersion: 1,
  saving: 'eager',
  state: OperatorsState,
  messages: operatorsMessages,
  initial: () => ({ userIds: [] }),
  handle: reduceOperators,
});

function reduceOperators(
  { userIds }: OperatorsState,
  { type, body: { userId } }: MessageOf<typeof operatorsMessages>,
): Effects<OperatorsState> | Rejection {
  const others = userIds.filter((id) => id !== userId);
  if (type === 'join') return userIds.includes(userId) ? {} : { state: { userIds: [...userIds, userId] } };
  if (type === 'leave' && others.length === 0)
    return reject('CONFLICT', 'The exchange needs an operator: this is the last.');
  return { state: { userIds: others }, reply: null };
}
