/**
 * The place of an entry in its partition: `<log time in ms>-<sequence>`, the form of a Redis stream id.
 *
 * Positions of one partition are totally ordered and never reused. The first half is the log's clock at the append, so
 * a position also gives a time: every "now" that a reducer sees comes from it.
 */
export type Position = string;

/** The position before every entry. */
export const START: Position = '0-0';

/** Negative, zero or positive when `a` is before, at or after `b`. */
export function comparePositions(a: Position, b: Position): number {
  if (a === b) return 0;
  if (a.length === b.length && a.charCodeAt(13) === 45 && b.charCodeAt(13) === 45) return a < b ? -1 : 1;
  const dashA = a.indexOf('-');
  const dashB = b.indexOf('-');
  const timeDifference = Number(a.slice(0, dashA)) - Number(b.slice(0, dashB));
  if (timeDifference !== 0) return timeDifference;
  return Number(a.slice(dashA + 1)) - Number(b.slice(dashB + 1));
}

/** The latest of these; {@link START} where there is none. */
export function latestOf(positions: readonly Position[]): Position {
  return positions.reduce((latest, other) => (comparePositions(other, latest) > 0 ? other : latest), START);
}

/** The log's clock at `position`, in ms since the Unix epoch. */
export function positionTimeMs(position: Position): number {
  return Number(position.slice(0, position.indexOf('-')));
}

/** The sequence of `position` within its millisecond. */
export function positionSequence(position: Position): number {
  return Number(position.slice(position.indexOf('-') + 1));
}

export function positionOf(timeMs: number, sequence: number): Position {
  return `${timeMs}-${sequence}`;
}
