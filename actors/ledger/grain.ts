import { DAY_MS, MINUTE_MS } from './ledger-id.ts';

export type GrainName = 'minutes' | 'hours' | 'days';

/** A grain: the width of a ledger's pages, and how long they are kept. */
export interface Grain {
  readonly name: GrainName;
  readonly lengthMs: number;
  /** The number of pages that are kept, counted back from the newest. */
  readonly pages: number;
  /** The most counterparties, and creatives, named in one page and region; the rest are summed as others. */
  readonly maxRows: number;
}

/** The most rows of a page of an hour or more, and of the totals of one partition and minute. */
export const MAX_ROWS = 200;
/** The most rows of a page of a minute. */
export const MINUTE_ROWS = 50;

/**
 * The grains. Every grain holds the whole of its time by itself: an impression is added to its minute, its hour and its
 * day, and a report reads one grain only. So an old page is dropped and never merged into another, and a document holds
 * at most 370 + 24 + 1 pages whatever the traffic. `1h` and `6h` read minutes, `today` and `24h` hours, all others
 * days.
 */
export const GRAINS: readonly Grain[] = [
  { name: 'minutes', lengthMs: MINUTE_MS, pages: 370, maxRows: MINUTE_ROWS },
  { name: 'hours', lengthMs: 60 * MINUTE_MS, pages: 24, maxRows: MAX_ROWS },
  { name: 'days', lengthMs: DAY_MS, pages: 1, maxRows: MAX_ROWS },
];

/** The index of the page of an instant within its day. */
export function pageIndex(grain: Grain, atMs: number): number {
  return Math.floor((atMs % DAY_MS) / grain.lengthMs);
}
