import { hashAddress } from '../../runtime/node/kind-registry.ts';
import { LEAST_UPDATES_PER_FLUSH } from './flush-policy.ts';

/** Seconds between two flushes of one source, of which the edges of a region mostly choose the same. */
const PERIODS_S = [1, 2, 3, 5, 8, 15, 30] as const;

/** The seconds of the clock, since the epoch, that a flush is for: those after `afterS`, up to `upToS`. */
export interface FlushSeconds {
  readonly afterS: number;
  readonly upToS: number;
}

/** A whole number by which all edges flush a source's counts in the same seconds. */
export function flushPhase(key: string): number {
  return hashAddress(key);
}

/** How often the counts of one source are flushed, s, where so many updates wait and none may longer than `withinS`. */
export function flushPeriodS(waiting: number, withinS: number): number {
  const fewEnough = PERIODS_S.find((periodS) => waiting / periodS <= LEAST_UPDATES_PER_FLUSH);
  return Math.min(withinS, fewEnough ?? withinS);
}

/** Whether one of the seconds of a flush is that of a phase: each is so once in a period. */
export function isInPhase(phase: number, periodS: number, { afterS, upToS }: FlushSeconds): boolean {
  const sinceLastS = (((upToS - phase) % periodS) + periodS) % periodS;
  return sinceLastS < upToS - afterS;
}
