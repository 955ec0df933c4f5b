import { creditsOf } from '../workload/account.ts';
import { keepOf } from '../workload/session.ts';
import type { Checker } from './checker.ts';
import { PARKED } from './dead-letters.ts';

/**
 * Acknowledged messages have exactly one effect, rejected ones none, all others at most one. An acknowledged message
 * that the log server itself lost may have none: no log can promise more.
 */
export const exactlyOnce: Checker = ({ operations, observer, final, violations }) => {
  for (const [tag, { kind, type, knowledge, mayRepeat }] of operations.all) {
    if (PARKED.has(type) || observer.deadLetters.has(tag)) continue;
    const times = final.applied.get(tag) ?? 0;
    if (times > 1 && !mayRepeat) violations.add('exactly once', `${tag} was applied ${times} times`);
    if (times > 0 && knowledge === 'refused') violations.add('exactly once', `${tag} was refused, and yet applied`);
    // The log server may have lost a session's tags on their way to its archive.
    const lostLater = kind === 'session' && operations.lost.has(tag);
    if (times === 0 && knowledge === 'answered' && !lostLater)
      violations.add('exactly once', `${tag} was answered, and is nowhere`);
    if (times === 0 && knowledge === 'durable' && !operations.lost.has(tag) && type !== 'transfer') {
      violations.add('exactly once', `${tag} was acknowledged, and is nowhere`);
    }
  }
  for (const [tag, times] of final.applied) {
    if (operations.all.has(tag)) checkCaused(tag, operations.all.get(tag)!.type);
    else if (times > 1) violations.add('exactly once', `${tag} was applied ${times} times`);
  }

  function checkCaused(cause: string, type: string): void {
    const caused = type === 'transfer' ? creditsOf(cause) : type === 'close' ? [keepOf(cause)] : [];
    for (const tag of caused) {
      // A message that was by chance being handled whenever processes ended is parked, as any message may be.
      if (!final.applied.has(tag) && !operations.lost.has(tag) && !observer.deadLetters.has(tag)) {
        violations.add('exactly once', `${cause} was applied, but what it sent never arrived: ${tag}`);
      }
    }
  }
};
