import { budgetWindowStart } from '#actors/budget/budget-window';
import { beginningMs, type Step } from '../actor-cases.ts';

export const HOUR_MS = 3_600_000;
/** Cases begin at a full hour: the beginning of a window. */
export const slotMs = budgetWindowStart(beginningMs);
export const limits = { dailyNanos: 1_000, totalNanos: 0, sinceMs: beginningMs - HOUR_MS, revision: 3 };

interface Asking {
  readonly edge?: string;
  readonly number: number;
  readonly limits?: object;
  readonly holdings?: readonly object[];
  readonly slotMs?: number;
  readonly wantNanos?: number;
  readonly leastNanos?: number;
}

export function lease({ edge = 'a', holdings = [], ...asking }: Asking, atMs?: number): Step {
  const body = { edge, limits, slotMs, wantNanos: 200, leastNanos: 10, ...asking, holdings };
  return { type: 'lease', body, ...(atMs === undefined ? {} : { atMs }) };
}

export function opened(seed: object = {}): Step {
  const { sinceMs } = limits;
  return {
    type: 'open',
    body: { sinceMs, spentNanos: 0, days: [], slotsFromMs: slotMs - HOUR_MS, slots: [], ...seed },
  };
}

export function holding(grantedNanos: number, soldNanos: number, closed = false, of = slotMs) {
  return { slotMs: of, grantedNanos, soldNanos, closed };
}

export const answer = { slotMs, unopened: false, freeTotalNanos: null, closedSlots: [] };

export function slot(changes: object = {}) {
  return { slotMs, seededNanos: 0, closedNanos: 0, grants: [], ...changes };
}
