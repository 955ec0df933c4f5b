/** An edge sends at least this many updates each second, oldest first: with fewer waiting, every flush sends all. */
export const LEAST_UPDATES_PER_FLUSH = 1_000;
/**
 * The longest that counts of a publisher, a DSP, an account or the platform wait for their flush, s. A ledger saves
 * them within 20 s at any load, so a report has them within 36 s.
 */
export const SOURCES_WITHIN_S = 15;
/** The longest that counts of a campaign wait for their flush, s: a report has them within 51 s, and so within 60. */
export const CAMPAIGNS_WITHIN_S = 30;

/**
 * The number of updates, oldest first, that a flush must send so that a flush each second of at most that many sends
 * each in time. `waiting` holds the number of updates by their age in whole seconds.
 */
export function updatesDue(waiting: readonly number[], withinS: number): number {
  let older = 0;
  let due = 0;
  for (let ageS = waiting.length - 1; ageS >= 0; ageS--) {
    older += waiting[ageS] ?? 0;
    due = Math.max(due, Math.ceil(older / Math.max(1, withinS - ageS)));
  }
  return due;
}

/** The number of waiting updates by age, as {@link updatesDue} reads them. Ages beyond `withinS` count as `withinS`. */
export function countByAge(sinceMs: Iterable<number>, nowMs: number, withinS: number): number[] {
  const waiting = new Array<number>(withinS + 1).fill(0);
  for (const at of sinceMs) {
    const ageS = Math.min(withinS, Math.max(0, Math.floor((nowMs - at) / 1_000)));
    waiting[ageS] = (waiting[ageS] ?? 0) + 1;
  }
  return waiting;
}
