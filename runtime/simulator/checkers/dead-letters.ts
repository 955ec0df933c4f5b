import { isOfQuarantine, isOfSuspect } from '../auditor/history-observer.ts';
import type { Checker } from './checker.ts';

/** Messages that no reducer handles. */
export const PARKED: ReadonlySet<string> = new Set(['poison', 'lethal', 'garbage']);

/**
 * Every message on which its reducer throws is parked, once, and so are those of an actor in quarantine; no other
 * message is.
 */
export const deadLetters: Checker = ({ operations, observer, final, violations }) => {
  for (const [tag, parked] of observer.deadLetters) {
    const operation = operations.all.get(tag);
    // Which message ended a process can only be guessed from how often a process ended while handling it.
    const suspected = parked.every(isOfSuspect);
    const deserved =
      suspected || parked.every(isOfQuarantine) || (operation !== undefined && PARKED.has(operation.type));
    if (!deserved) violations.add('dead letters', `${tag} was parked: ${parked[0]?.reason}`);
    else if (
      parked.length > 1 &&
      !parked.some(({ type }) => type === 'total') &&
      !operations.lost.has(tag) &&
      !operation?.mayRepeat
    )
      violations.add('dead letters', `${tag} was parked ${parked.length} times`);
  }
  for (const { tag, type, knowledge } of operations.all.values()) {
    if (!PARKED.has(type)) continue;
    if (final.applied.has(tag)) violations.add('dead letters', `${tag} was applied`);
    const acknowledged = knowledge === 'durable' || knowledge === 'parked';
    if (acknowledged && !observer.deadLetters.has(tag) && !operations.lost.has(tag)) {
      violations.add('dead letters', `${tag} was acknowledged, and is not among the dead letters`);
    }
  }
};
