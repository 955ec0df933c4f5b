import type { DeadLetter, OutboxMessage } from '../ports/store.ts';

/** In an outbox, what is for the dead letters and not for the log. */
const DEAD_LETTER_PREFIX = 'dead-letter/';

/** A letter in the outbox of the actor whose state covers its message (law 10). */
export function outboxDeadLetter(letter: DeadLetter): OutboxMessage {
  return { to: `${DEAD_LETTER_PREFIX}${letter.id}`, type: 'park', body: letter, sequence: letter.id };
}

export function isDeadLetter({ to }: OutboxMessage): boolean {
  return to.startsWith(DEAD_LETTER_PREFIX);
}
