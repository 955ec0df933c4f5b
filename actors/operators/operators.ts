import Type from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { reject } from '../../runtime/actor/rejection.ts';
import { operatorsMessages } from './messages.ts';

/**
 * Ids of users. Some operator may be missing for a moment (one who has just been made, or one whose going was cut off
 * half-way), but nobody stays here who is none: the roll errs towards refusing that somebody goes.
 */
const OperatorsState = Type.Object({ userIds: Type.Array(Type.String()) });

/** The roll of those who run the exchange, so that the last of them cannot go. One actor: `operators/all`. */
export const operators = defineActor({
  kind: 'operators',
  schemaVersion: 1,
  saving: 'eager',
  state: OperatorsState,
  messages: operatorsMessages,
  initial: () => ({ userIds: [] }),
  handlers: {
    join: ({ userIds }, { userId }) => (userIds.includes(userId) ? {} : { state: { userIds: [...userIds, userId] } }),
    leave({ userIds }, { userId }) {
      const others = userIds.filter((id) => id !== userId);
      if (others.length === 0) return reject('CONFLICT', 'The exchange needs an operator: this is the last.');
      return { state: { userIds: others }, reply: null };
    },
    left: ({ userIds }, { userId }) => ({ state: { userIds: userIds.filter((id) => id !== userId) }, reply: null }),
  },
});
