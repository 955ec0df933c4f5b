import Type, { type Static } from 'typebox';
import { Timestamp } from '#actors/api-schemas';
import { ApiError } from '#gateways/errors';
import type { DeadLetter } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';

/** The id of a dead letter in a path. */
export const DeadLetterId = Type.String({
  pattern: '^([a-z]{1,16}-)?[0-9]{1,6}:[0-9]{1,16}-[0-9]{1,16}([.][0-9]{1,4})?$',
  description: 'Where the message was in the log.',
});

export const DeadLetterState = Type.Enum(['waiting', 'replayed', 'discarded']);

const timestampOf = (atMs: number) => new Date(atMs).toISOString();

export const ShownDeadLetter = Type.Object(
  {
    letter_id: DeadLetterId,
    state: DeadLetterState,
    to: Type.String({ description: 'The actor that could not handle it.' }),
    type: Type.String(),
    message: Type.String({ description: 'As it was in the log.' }),
    reason: Type.String({ description: 'Why it could not be handled.' }),
    parked_at: Timestamp,
    replayed_at: Type.Optional(Timestamp),
    discarded: Type.Optional(
      Type.Object({
        at: Timestamp,
        by: Type.String({ description: 'The operator who has decided it.' }),
        reason: Type.String({ description: 'Why it is never to be handled.' }),
      }),
    ),
  },
  {
    title: 'DeadLetter',
    examples: [
      {
        letter_id: '3:1772357400000-0',
        state: 'waiting',
        to: 'publisher/5d0f2a9c-1b7e-4e0a-9a52-7c1f3e8b6d04',
        type: 'update',
        message: '{"changes":{"name":"Evening News"}}',
        reason: 'TypeError: changes is not iterable',
        parked_at: '2026-03-14T09:26:53.589Z',
      },
    ],
  },
);
export type ShownDeadLetter = Static<typeof ShownDeadLetter>;

export function showDeadLetter(deadLetter: DeadLetter): ShownDeadLetter {
  const { id, to, type, payload, reason, parkedAtMs, replayedAtMs, discarded } = deadLetter;
  return {
    letter_id: id,
    state: deadLetterStateOf(deadLetter),
    to,
    type,
    message: payload,
    reason,
    parked_at: timestampOf(parkedAtMs),
    ...(replayedAtMs === null ? {} : { replayed_at: timestampOf(replayedAtMs) }),
    ...(discarded && { discarded: { at: timestampOf(discarded.atMs), by: discarded.by, reason: discarded.why } }),
  };
}

export function deadLetterStateOf({ replayedAtMs, discarded }: DeadLetter): Static<typeof DeadLetterState> {
  if (discarded !== undefined) return 'discarded';
  return replayedAtMs === null ? 'waiting' : 'replayed';
}

export function deadLetterNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such dead letter.');
}

/** Loads a dead letter. Throws NOT_FOUND. */
export async function loadDeadLetter({ store }: Pick<ManagementDeps, 'store'>, id: string): Promise<DeadLetter> {
  const deadLetter = await store.deadLetter(id);
  if (deadLetter === null) throw deadLetterNotFound();
  return deadLetter;
}
