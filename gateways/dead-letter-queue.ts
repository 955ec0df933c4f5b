import type { DeadLetter } from '../runtime/ports/store.ts';

/** What has become of a letter, by this call or one before it; `absent`: there is no such letter. */
export type DeadLetterResult = 'replayed' | 'discarded' | 'absent';

/** Messages that no reducer could handle, as an operator sees them. */
export interface DeadLetterQueue {
  list(options: { readonly limit: number; readonly after?: string }): Promise<DeadLetter[]>;
  /** Sends it again, unless it was discarded or, `unreadable`, says not to whom. Doing it twice is once. */
  replay(id: string): Promise<DeadLetterResult | 'unreadable'>;
  /** It is never to be handled, unless it was replayed. The first call is remembered: who said so, and why. */
  discard(id: string, discarded: { readonly by: string; readonly why: string }): Promise<DeadLetterResult>;
}
