import Type, { type Static } from 'typebox';
import { defineActor, type Effects } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { operatorsMessages } from './messages.ts';

/**
 * The operators, of whom one must always stay. Who was just made an operator may be missing for a moment, and nobody
 * else; who is no operator any more may be listed for a moment, but then is `leaving`: the list errs towards refusing.
 */
const OperatorsState = Type.Object({
  userIds: Type.Array(Type.String()),
  /** The latest term in which a user has announced to leave, of which nothing was heard since. Absent: none. */
  leaving: Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 0 }))),
});
type Leaving = NonNullable<Static<typeof OperatorsState>['leaving']>;

/**
 * The list of operators, who run the exchange, so that the last of them cannot leave. One actor: `operators/all`.
 *
 * A leave is announced here and takes effect at the user, who accepts it in the announced term alone. It may never take
 * effect: the change is refused, or its process dies. Only the user knows; it is asked when the list needs it to stay,
 * and its answer ends the term.
 */
export const operators = defineActor({
  kind: 'operators',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'It counts operators, each of whom is a user whose change is an entry.' },
  state: OperatorsState,
  messages: operatorsMessages,
  initial: () => ({ userIds: [] }),
  handlers: {
    join: (state, { userId }) =>
      state.userIds.includes(userId) ? {} : { state: { ...state, userIds: [...state.userIds, userId] } },
    leave(state, { userId, term = 0 }): Effects<Static<typeof OperatorsState>, LeaveReply> | Rejection {
      const { userIds, leaving = {} } = state;
      const others = userIds.filter((id) => id !== userId);
      if (others.length === 0) return reject('CONFLICT', 'The exchange needs an operator: this is the last.');
      if (others.every((id) => leaving[id] !== undefined)) {
        const sends = others.map((id) => ({
          to: `user/${id}`,
          type: 'answer-for-leave',
          body: { term: leaving[id] },
        }));
        return { reply: { asked: others }, sends };
      }
      const latest = Math.max(term, leaving[userId] ?? 0);
      return { state: { userIds, leaving: { ...leaving, [userId]: latest } }, reply: null };
    },
    stay: ({ userIds, leaving }, { userId, term }) => ({
      state: { userIds: [...new Set([...userIds, userId])], leaving: without(leaving, userId, term) },
    }),
    left: ({ userIds, leaving }, { userId, term }) => ({
      state: { userIds: userIds.filter((id) => id !== userId), leaving: without(leaving, userId, term) },
      reply: null,
    }),
  },
});

/** The answer to a leave: null when it is announced. */
type LeaveReply = { readonly asked: readonly string[] } | null;

/** The announcements without what the user announced in this term or before; without a term, in any. */
function without(leaving: Leaving = {}, userId: string, term: number | undefined): Leaving {
  const { [userId]: announced, ...others } = leaving;
  return announced !== undefined && term !== undefined && announced > term ? leaving : others;
}
