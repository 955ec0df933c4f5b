import type { DeadLetter, OutboxMessage } from '../ports/store.ts';

/** The prefix of the addresses of dead letters in an outbox, which do not go to the log. */
const DEAD_LETTER_PREFIX = 'dead-letter/';

/** The dead letter as a message in the outbox of the actor whose state covers the parked message (law 10). */
export function outboxDeadLetter(deadLetter: DeadLetter): OutboxMessage {
  return { to: `${DEAD_LETTER_PREFIX}${deadLetter.id}`, type: 'park', body: deadLetter, sequence: deadLetter.id };
}

export function isDeadLetter({ to }: OutboxMessage): boolean {
  return to.startsWith(DEAD_LETTER_PREFIX);
}
