import Type from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { reject } from '../../runtime/actor/rejection.ts';
import { operatorsMessages } from './messages.ts';

/**
 * The ids of users. An operator may be missing for a moment (one who was just made, or one whose removal was cut off
 * half-way), but no other user stays in the list: it errs towards refusing a removal.
 */
const OperatorsState = Type.Object({ userIds: Type.Array(Type.String()) });

/** The list of operators, who run the exchange, so that the last of them cannot leave. One actor: `operators/all`. */
export const operators = defineActor({
  kind: 'operators',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'It counts operators, each of whom is a user whose change is an entry.' },
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
