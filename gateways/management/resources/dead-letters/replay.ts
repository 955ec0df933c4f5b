import Type from 'typebox';
import { ApiError } from '#gateways/errors';
import { defineRoute } from '../../routing/route.ts';
import { DeadLetterId, deadLetterNotFound, loadDeadLetter, ShownDeadLetter, showDeadLetter } from './dead-letter.ts';

export const replayDeadLetter = defineRoute({
  method: 'POST',
  path: '/api/dead-letters/:letter_id/replay',
  tag: 'Operators',
  operationId: 'replayDeadLetter',
  summary: 'Send a parked message again',
  description:
    'Once the reason is mended. It is sent once, however often this is asked for; where it cannot be handled again it is parked as another letter.',
  access: 'operator',
  trail: 'by-handler',
  params: Type.Object({ letter_id: DeadLetterId }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  answer: { status: 200, schema: ShownDeadLetter },
  async handle({ params: { letter_id: id }, record, parts }) {
    await loadDeadLetter(parts, id);
    await record({ action: 'replay', resource: `dead-letter/${id}`, after: {} });
    const fate = await parts.deadLetters.replay(id);
    if (fate === 'absent') throw deadLetterNotFound();
    if (fate === 'discarded') throw new ApiError('CONFLICT', 'The message was discarded: it cannot be sent again.');
    if (fate === 'foreign')
      throw new ApiError(
        'CONFLICT',
        'It comes from a log of counts that is not used any more (FACTS_REDIS_URL): it can only be discarded.',
      );
    if (fate === 'unreadable') throw new ApiError('CONFLICT', 'The message cannot be read: it can only be discarded.');
    return showDeadLetter(await loadDeadLetter(parts, id));
  },
});
