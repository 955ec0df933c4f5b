import { positionSequence, positionTimeMs } from '../../runtime/actor/position.ts';

const [TIME_DIGITS, SEQUENCE_DIGITS] = [13, 8];

/** Sorts by the time at which an entry's change was read from the log; the resource tells entries of two partitions apart. */
export function entryId(position: string, resource: string): string {
  const sequence = String(positionSequence(position)).padStart(SEQUENCE_DIGITS, '0');
  return `${lowestEntryId(positionTimeMs(position))}${sequence}.${resource.replace('/', '.')}`;
}

/** Below all entries of that instant, ms since the epoch, and of later ones. */
export function lowestEntryId(atMs: number): string {
  return `${String(atMs).padStart(TIME_DIGITS, '0')}-`;
}
