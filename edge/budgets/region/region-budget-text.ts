import { BUDGET_WINDOW_MS } from '#actors/budget/budget-window';
import type { RegionBudget, RegionWindow } from './region-budget.ts';

/** A window: its number, what is granted and sold, whether it is closed, then each edge with its grant. */
type PackedWindow = (number | string)[];

/** The text of a record: windows are most of it, so they are packed. */
export function encodeRegionBudget({ slots, ...state }: RegionBudget): string {
  return JSON.stringify({ ...state, slots: slots.map(packed) });
}

export function decodeRegionBudget(text: string): RegionBudget {
  const { slots, ...state } = JSON.parse(text) as Omit<RegionBudget, 'slots'> & { readonly slots: PackedWindow[] };
  return { ...state, slots: slots.map(unpacked) };
}

function packed({ slotMs, grantedNanos, closedNanos, closed, grants }: RegionWindow): PackedWindow {
  const head = [slotMs / BUDGET_WINDOW_MS, grantedNanos, closedNanos, closed ? 1 : 0];
  return [...head, ...grants.flatMap(({ edge, nanos }) => [edge, nanos])];
}

function unpacked([number, grantedNanos, closedNanos, closed, ...granted]: PackedWindow): RegionWindow {
  const grants = [];
  for (let at = 0; at < granted.length; at += 2) {
    grants.push({ edge: granted[at] as string, nanos: granted[at + 1] as number });
  }
  return {
    slotMs: (number as number) * BUDGET_WINDOW_MS,
    grantedNanos: grantedNanos as number,
    closedNanos: closedNanos as number,
    closed: closed === 1,
    grants,
  };
}
