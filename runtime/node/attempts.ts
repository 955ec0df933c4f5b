/**
 * What an owner notes beside the cursor before it handles anything (law 10), so that whoever owns the partition next
 * knows when a message ends the processes that handle it.
 */
export interface Attempts {
  /** The cursor from which the tries began. */
  readonly cursor: string;
  /** How many owners have begun there. */
  readonly owners: number;
  /** The message in a reducer's hands, when messages run one by one; '' when none. */
  readonly inHand: string;
  /** How often a process has taken exactly that message in hand and not come back. */
  readonly deaths: number;
}

export function parseAttempts(note: string, cursor: string): Attempts {
  const none = { cursor, owners: 0, inHand: '', deaths: 0 };
  if (note === '') return none;
  const [notedCursor, owners, inHand, deaths] = JSON.parse(note);
  return notedCursor === cursor ? { cursor, owners, inHand, deaths } : none;
}

export function formatAttempts({ cursor, owners, inHand, deaths }: Attempts): string {
  return JSON.stringify([cursor, owners, inHand, deaths]);
}
