import Type from 'typebox';
import { ApiError } from '#gateways/errors';
import { nameOfUser } from '../../identity/name-of-user.ts';
import { defineRoute } from '../../routing/route.ts';
import { DeadLetterId, deadLetterNotFound, loadDeadLetter, ShownDeadLetter, showDeadLetter } from './dead-letter.ts';

const MOST_REASON = 500;

export const discardDeadLetter = defineRoute({
  method: 'POST',
  path: '/api/dead-letters/:letter_id/discard',
  tag: 'Operators',
  operationId: 'discardDeadLetter',
  summary: 'Decide that a parked message is never to be handled',
  description:
    'For good: it cannot be replayed any more. What it would have booked is in no books; statements and budgets that waited for it go on, and each audit names it as a difference that was accepted, with who has decided it and why. Discarding it again changes nothing.',
  access: 'operator',
  trail: 'by-handler',
  params: Type.Object({ letter_id: DeadLetterId }),
  body: Type.Object(
    {
      reason: Type.String({
        minLength: 1,
        maxLength: MOST_REASON,
        pattern: '\\S',
        description: 'Why, for whoever reads the audit.',
      }),
    },
    { additionalProperties: false },
  ),
  examples: { body: { reason: 'The publisher was told that this impression is not paid.' } },
  errors: ['NOT_FOUND', 'CONFLICT'],
  answer: { status: 200, schema: ShownDeadLetter },
  async handle({ params: { letter_id: id }, body: { reason }, caller, record, parts }) {
    await loadDeadLetter(parts, id);
    await record({ action: 'discard', resource: `dead-letter/${id}`, after: { reason: reason.trim() } });
    const fate = await parts.deadLetters.discard(id, { by: await nameOfUser(parts, caller), why: reason.trim() });
    if (fate === 'absent') throw deadLetterNotFound();
    if (fate === 'replayed') throw new ApiError('CONFLICT', 'The message was sent again: it cannot be discarded.');
    return showDeadLetter(await loadDeadLetter(parts, id));
  },
});
