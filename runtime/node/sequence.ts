import { comparePositions } from '../ports/position.ts';

/** The sequence of the `index`-th message caused by the message at `position`. */
export function causedSequence(position: string, index: number): string {
  return `${position}#${index}`;
}

/** Negative, zero or positive when `a` was sent before, is, or was sent after `b`. Both must be of one sender. */
export function compareSequences(a: string, b: string): number {
  const hashA = a.indexOf('#');
  const hashB = b.indexOf('#');
  if (hashA < 0 || hashB < 0) return Number(a) - Number(b);
  const byPosition = comparePositions(a.slice(0, hashA), b.slice(0, hashB));
  return byPosition !== 0 ? byPosition : Number(a.slice(hashA + 1)) - Number(b.slice(hashB + 1));
}
