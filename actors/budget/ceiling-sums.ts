import Type, { type Static } from 'typebox';
import { BUDGET_WINDOW_MS, budgetWindowStart } from './budget-window.ts';
import { CeilingSpan } from './messages.ts';

/** The last statement of each edge about its sales without a lease. */
export const StatedCeilings = Type.Array(
  Type.Object({ edge: Type.String(), number: Type.Integer({ minimum: 0 }), spans: Type.Array(CeilingSpan) }),
);

/** The parts of a budget's state that say which ceilings count. */
interface Ceilings {
  readonly ceilings?: Static<typeof StatedCeilings>;
  readonly openedSinceMs: number | null;
  readonly settledThroughMs: number;
}

/** ms after a limit was set by which every edge knows of it and has stated what it sold until then. */
export const LIMIT_KNOWN_WITHIN_MS = 3_000;

/** The last window in which an edge may have sold without a lease, although the limits that were opened had begun. */
function lastUnleasedWindow({ openedSinceMs }: Ceilings): number {
  return openedSinceMs === null ? -1 : budgetWindowStart(openedSinceMs + LIMIT_KNOWN_WITHIN_MS);
}

/**
 * The most that edges may have sold without a lease in an unsettled window of an opened budget, nano-dollars. Later
 * windows are under leases.
 */
export function ceilingNanos(state: Ceilings, slotMs: number): number {
  if (state.ceilings === undefined || slotMs > lastUnleasedWindow(state)) return 0;
  const sum = state.ceilings.reduce((nanos, { spans }) => nanos + nanosOf(spans, slotMs), 0);
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}

/** The unsettled windows of an opened budget that have such ceilings. */
export function windowsWithCeilings(state: Ceilings): number[] {
  const windows = new Set<number>();
  const lastMs = lastUnleasedWindow(state);
  for (const { spans } of state.ceilings ?? []) {
    for (const { fromMs, throughMs, nanos } of spans) {
      if (nanos === 0) continue;
      let slotMs = Math.max(budgetWindowStart(fromMs), state.settledThroughMs + BUDGET_WINDOW_MS);
      for (; slotMs <= Math.min(throughMs, lastMs); slotMs += BUDGET_WINDOW_MS) windows.add(slotMs);
    }
  }
  return [...windows];
}

function nanosOf(spans: readonly CeilingSpan[], slotMs: number): number {
  let most = 0;
  for (const { fromMs, throughMs, nanos } of spans) {
    if (slotMs >= fromMs && slotMs <= throughMs) most = Math.max(most, nanos);
  }
  return most;
}
