import { positionSequence, positionTimeMs } from '../../runtime/actor/position.ts';

const [TIME_DIGITS, SEQUENCE_DIGITS] = [13, 8];
/** The last instant that has 13 digits, in the year 2286. */
const LAST_MS = 10 ** TIME_DIGITS - 1;

/**
 * The id of an entry. It sorts by the time at which the change was read from the log; the resource distinguishes
 * entries of two partitions.
 */
export function entryId(position: string, resource: string): string {
  const sequence = String(positionSequence(position)).padStart(SEQUENCE_DIGITS, '0');
  return `${lowestEntryId(positionTimeMs(position))}${sequence}.${resource.replace('/', '.')}`;
}

/**
 * An id below all entries of that instant, ms since the epoch, and of later ones. An instant that has not 13 digits,
 * which would not sort by time, counts as the nearest that has.
 */
export function lowestEntryId(atMs: number): string {
  return `${String(Math.max(0, Math.min(atMs, LAST_MS))).padStart(TIME_DIGITS, '0')}-`;
}
