import type { Static } from 'typebox';
import type { Changes } from '../../runtime/actor/define-actor.ts';
import { DAY_MS, utcDay } from '../ledger/ledger-id.ts';
import { BUDGET_WINDOW_MS, budgetWindowStart } from './budget-window.ts';
import { withCeilingsFrom } from './ceilings.ts';
import type { budgetMessages } from './messages.ts';
import { type BudgetState, emptyBudgetWindow, leasedNanos, saturatingAdd, withWindows } from './state.ts';

type BudgetOpening = Static<(typeof budgetMessages)['open']>;
type WindowSettlement = Static<(typeof budgetMessages)['settle']>;

/**
 * Opens a budget: the sums of the ledgers replace all that was known, except for leases in windows that are still open.
 * A window from before the limits may come to all that was leased plus all that was sold under no lease, and its billed
 * impressions are of either. The ceilings that edges have stated count besides (state.ts).
 */
export function applyBudgetOpening(state: BudgetState, opening: BudgetOpening, nowMs: number): Changes<BudgetState> {
  const { sinceMs, spentNanos, days, slotsFromMs } = opening;
  if (sinceMs <= (state.openedSinceMs ?? -1) || sinceMs < (state.limits?.sinceMs ?? 0)) return {};
  const seeds = new Map(opening.slots.map((window) => [window.slotMs, window]));
  const firstMs = Math.min(budgetWindowStart(slotsFromMs), ...seeds.keys());
  // The ledgers were read before the final sums of a window were settled, and the budget has settled it since: they
  // must be read again.
  if (state.settledThroughMs > 0 && firstMs <= state.settledThroughMs) return {};
  const leased = new Map(
    state.slots.filter(({ slotMs }) => slotMs >= firstMs).map((window) => [window.slotMs, window]),
  );
  const windows = [...new Set([...leased.keys(), ...seeds.keys()])].map((slotMs) => {
    const window = leased.get(slotMs) ?? emptyBudgetWindow(slotMs);
    const { spentNanos = 0, unleasedNanos = 0 } = seeds.get(slotMs) ?? {};
    // In the window in which the limits began, leases count in addition to its seeded spend.
    const besideNanos = slotMs < budgetWindowStart(sinceMs) ? leasedNanos(window) : 0;
    const { seed: _, ...others } = window;
    return {
      ...others,
      seededNanos: Math.max(spentNanos, unleasedNanos === 0 ? 0 : saturatingAdd(besideNanos, unleasedNanos)),
      ...(spentNanos + besideNanos > 0 && { seed: { spentNanos, soldNanos: unleasedNanos, besideNanos } }),
    };
  });
  const opened: BudgetState = {
    ...state,
    openedSinceMs: sinceMs,
    settledNanos: spentNanos,
    settledDays: daysKept(
      days.map((spent) => ({ day: spent.day, nanos: spent.spentNanos })),
      nowMs,
    ),
    settledThroughMs: Math.max(0, firstMs - BUDGET_WINDOW_MS),
  };
  return { state: withWindows(opened, windows) };
}

/**
 * Settles windows. Up to the last settled window, a window that is not in `slots` any more was settled before; later
 * windows that the budget does not know were sold under no lease.
 */
export function settleWindows(state: BudgetState, { slots }: WindowSettlement, nowMs: number): Changes<BudgetState> {
  let { settledNanos, settledThroughMs } = state;
  const days = new Map(state.settledDays.map(({ day, nanos }) => [day, nanos]));
  const settled = new Set<number>();
  for (const { slotMs, spentNanos } of slots) {
    settledThroughMs = Math.max(settledThroughMs, slotMs);
    const isOpen = slotMs > state.settledThroughMs || state.slots.some((known) => known.slotMs === slotMs);
    if (settled.has(slotMs) || !isOpen) continue;
    settled.add(slotMs);
    settledNanos = saturatingAdd(settledNanos, spentNanos);
    const day = utcDay(slotMs);
    days.set(day, saturatingAdd(days.get(day) ?? 0, spentNanos));
  }
  const settledDays = daysKept(
    [...days].map(([day, nanos]) => ({ day, nanos })),
    nowMs,
  );
  const left = state.slots.filter(({ slotMs }) => !settled.has(slotMs));
  const next = withCeilingsFrom({ ...state, settledNanos, settledDays, settledThroughMs }, settledThroughMs + 1);
  return { state: withWindows(next, left) };
}

function daysKept(days: BudgetState['settledDays'], nowMs: number): BudgetState['settledDays'] {
  const yesterday = utcDay(nowMs - DAY_MS);
  return days.filter(({ day }) => day >= yesterday).sort((a, b) => (a.day < b.day ? -1 : 1));
}
