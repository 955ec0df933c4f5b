/** What is decided of a dead letter, once and before it takes effect. */
export type DeadLetterDecision = 'replayed' | 'discarded';

/** The name of the store's value that has the decision of a dead letter. */
export function deadLetterDecisionName(deadLetterId: string): string {
  return `dead-letter/${deadLetterId}`;
}
