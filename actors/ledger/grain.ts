import { DAY_MS } from './ledger-id.ts';

export type GrainName = 'minutes' | 'tenMinutes' | 'hours';

/** How finely a ledger remembers, and for how long. */
export interface Grain {
  readonly name: GrainName;
  readonly lengthMs: number;
  /** Pages kept, counted back from the newest. */
  readonly pages: number;
  /** Counterparties, and creatives, named in one page and region; the rest are summed as others. */
  readonly maxRows: number;
}

const MINUTE_MS = 60_000;

/**
 * Every grain holds the whole of its time by itself: an impression is added to its minute, its ten minutes and its hour,
 * and a report reads one grain only. So a page that has grown old is dropped, never folded into another, and a document
 * holds at most 70 + 43 + 24 pages whatever the traffic. `1h` reads minutes, `6h` ten minutes, all others hours.
 */
export const GRAINS: readonly Grain[] = [
  { name: 'minutes', lengthMs: MINUTE_MS, pages: 70, maxRows: 50 },
  { name: 'tenMinutes', lengthMs: 10 * MINUTE_MS, pages: 43, maxRows: 100 },
  { name: 'hours', lengthMs: 60 * MINUTE_MS, pages: 24, maxRows: 300 },
];

/** Which page of its day an instant falls on. */
export function pageIndex(grain: Grain, atMs: number): number {
  return Math.floor((atMs % DAY_MS) / grain.lengthMs);
}
