import type { BudgetHolder } from '../../actors/budget/budget-id.ts';
import { BUDGET_WINDOW_MS } from '../../actors/budget/budget-window.ts';
import { saturatingAdd } from '../../actors/budget/state.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { DAY_MS, ledgerId } from '../../actors/ledger/ledger-id.ts';
import type { LedgerState } from '../../actors/ledger/state.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** An impression that waited in an edge's spool may still be billed this many ms after its render window. */
const REPLAYED_WITHIN_MS = 3_600_000;

/** The longest time between the sale of an impression and its billing, by the log's clock, ms. */
export function lateByMs(renderWindowMs: number): number {
  return renderWindowMs + REPLAYED_WITHIN_MS;
}

/** The budget windows of one budget that must be settled. */
export interface WindowsToSettle {
  readonly holder: BudgetHolder;
  /** The windows that the budget knows, the earliest first; at least one. */
  readonly known: readonly number[];
  /** Windows up to this one were settled before and are left out. */
  readonly afterMs: number;
  readonly throughMs: number;
}

type LedgerWindows = LedgerState['slots'];

/**
 * What the ledgers hold of each budget window that a budget knows, and of each that it does not know: impressions sold
 * there without a limit were not yet rendered when the limits were opened. Sums are whole nano-dollars; windows without
 * billed impressions are left out. `billedThroughMs`: the ledgers up to this instant may hold them, however late they
 * came; null: up to the longest time after their sale. The result follows the order of the budgets, whose ledgers are read together.
 */
export async function spentByWindow(
  store: Pick<StateStore, 'load'>,
  budgets: readonly WindowsToSettle[],
  renderWindowMs: number,
  billedThroughMs: number | null = null,
): Promise<ReadonlyMap<number, number>[]> {
  const ledgers = budgets.map((settled) => ledgersOf(settled, renderWindowMs, billedThroughMs));
  const ids = [...new Set(ledgers.flat())];
  const documents = await store.load(
    ids.map((id) => ({ kind: ledger.kind, id })),
    ['slots'],
  );
  // A ledger from before there were budget windows holds no sums by window.
  const windows = new Map(
    ids.map((id, index) => [
      id,
      (documents[index]?.state as { slots?: LedgerWindows } | null | undefined)?.slots ?? ({} as LedgerWindows),
    ]),
  );
  return budgets.map((settled, index) =>
    sumOf(
      settled,
      ledgers[index]!.map((id) => windows.get(id)!),
      renderWindowMs,
    ),
  );
}

/** The ids of the ledgers that may hold billed impressions of the windows. */
function ledgersOf(
  { holder, known }: WindowsToSettle,
  renderWindowMs: number,
  billedThroughMs: number | null,
): string[] {
  const { scope, id, sandbox, sandboxGeneration } = holder;
  const lateMs = lateByMs(renderWindowMs);
  const ids = new Set<string>();
  for (const slotMs of known) {
    const fromMs = slotMs - lateMs;
    const lastBilledMs = Math.max(slotMs + BUDGET_WINDOW_MS + lateMs, billedThroughMs ?? 0);
    for (let dayMs = fromMs - (fromMs % DAY_MS); dayMs <= lastBilledMs; dayMs += DAY_MS) {
      ids.add(ledgerId(scope, id, dayMs, sandbox, sandboxGeneration));
    }
  }
  return [...ids];
}

function sumOf(
  { known, afterMs, throughMs }: WindowsToSettle,
  ledgers: readonly LedgerWindows[],
  renderWindowMs: number,
): ReadonlyMap<number, number> {
  // These ledgers may lack part of the earlier windows.
  const earliestMs = Math.max(afterMs + 1, Math.min(...known) - lateByMs(renderWindowMs));
  const wanted = new Set(known);
  const spent = new Map<number, number>();
  for (const held of ledgers) {
    for (const [slot, { grossNanos }] of Object.entries(held)) {
      const slotMs = Number(slot);
      if (!wanted.has(slotMs) && (slotMs < earliestMs || slotMs > throughMs)) continue;
      spent.set(slotMs, saturatingAdd(spent.get(slotMs) ?? 0, grossNanos));
    }
  }
  return spent;
}
