import type { Checker } from './checker.ts';
import { PARKED } from './dead-letters.ts';

/**
 * A message that was parked because its actor's state could not be stored has its effect once, after it is replayed.
 */
export const quarantine: Checker = ({ operations, observer, final, violations }) => {
  for (const [tag, parked] of observer.quarantined) {
    const operation = operations.all.get(tag);
    // Totals have no tag: the convergence check compares sums with their counters.
    if (!tag.includes('!') || tag.startsWith('[') || PARKED.has(operation?.type ?? '')) continue;
    if (parked.length > 1 || operations.lost.has(tag) || observer.repeatable.has(tag)) continue;
    const times = final.applied.get(tag) ?? 0;
    // A replayed transfer may be rejected, because the money may be gone.
    const mayFail = operation?.type === 'transfer';
    if (times > 1 || (times === 0 && !mayFail)) {
      violations.add('quarantine', `${tag} was parked, sent again and applied ${times} times`);
    }
  }
};
