import Type from 'typebox';
import { Nullable } from '#actors/api-schemas';
import type { DeadLetter } from '#runtime/ports/store';
import { defineRoute } from '../../routing/route.ts';
import { DeadLetterId, DeadLetterState, deadLetterStateOf, ShownDeadLetter, showDeadLetter } from './dead-letter.ts';

const DEFAULT_LIMIT = 50;
const MOST_LETTERS = 200;
const PIECE = 500;
/** The largest number of dead letters in another state than the requested one that one call passes over. */
const MOST_PASSED = 5_000;

export const listDeadLetters = defineRoute({
  method: 'GET',
  path: '/api/dead-letters',
  tag: 'Operators',
  operationId: 'listDeadLetters',
  summary: 'List the messages that no actor could handle',
  description:
    'Such a message is parked, and everything else goes on. One that waits and moves money holds the statements that it concerns, and the slots of their budgets: replay it once the reason is mended, or discard it.',
  access: 'operator',
  query: Type.Object({
    state: Type.Optional(DeadLetterState),
    cursor: Type.Optional(DeadLetterId),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_LETTERS, default: DEFAULT_LIMIT })),
  }),
  answer: {
    status: 200,
    schema: Type.Object({
      letters: Type.Array(ShownDeadLetter),
      next_cursor: Nullable(DeadLetterId),
    }),
  },
  async handle({ query: { state, cursor, limit = DEFAULT_LIMIT }, parts: { deadLetters } }) {
    const found: DeadLetter[] = [];
    let after = cursor;
    for (let passed = 0; passed < MOST_PASSED; ) {
      const piece = await deadLetters.list({ limit: PIECE, ...(after === undefined ? {} : { after }) });
      for (const deadLetter of piece) {
        if (found.length === limit) return { letters: found.map(showDeadLetter), next_cursor: after! };
        after = deadLetter.id;
        if (state === undefined || deadLetterStateOf(deadLetter) === state) found.push(deadLetter);
        else passed += 1;
      }
      if (piece.length < PIECE) return { letters: found.map(showDeadLetter), next_cursor: null };
    }
    return { letters: found.map(showDeadLetter), next_cursor: after ?? null };
  },
});
