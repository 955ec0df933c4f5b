import type { DeadLetter, OutboxMessage } from '../ports/store.ts';

/** In an outbox, what is for the dead letters and not for the log. */
const LETTERS = 'dead-letter/';

/** A letter in the outbox of the actor whose state covers its message (law 10). */
export function outboxLetter(letter: DeadLetter): OutboxMessage {
  return { to: `${LETTERS}${letter.id}`, type: 'park', body: letter, sequence: letter.id };
}

export function isLetter({ to }: OutboxMessage): boolean {
  return to.startsWith(LETTERS);
}
