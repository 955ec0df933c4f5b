import type { DeadLetter } from '../runtime/ports/store.ts';

/** The state of a dead letter, by this call or an earlier one; `absent`: there is no such dead letter. */
export type DeadLetterResult = 'replayed' | 'discarded' | 'absent';

/** The dead letters as an operator sees them: messages that no reducer could handle. */
export interface DeadLetterQueue {
  list(options: { readonly limit: number; readonly after?: string }): Promise<DeadLetter[]>;
  /**
   * Sends the message again, unless the dead letter was discarded, does not name its recipient (`unreadable`) or comes
   * from another log (`foreign`). Idempotent.
   */
  replay(id: string): Promise<DeadLetterResult | 'unreadable' | 'foreign'>;
  /**
   * Marks the dead letter as never to be handled, unless it was replayed. The first call is stored: its author and
   * reason.
   */
  discard(id: string, discarded: { readonly by: string; readonly why: string }): Promise<DeadLetterResult>;
}
