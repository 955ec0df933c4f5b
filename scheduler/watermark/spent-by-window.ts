import type { BudgetHolder } from '../../actors/budget/budget-id.ts';
import { BUDGET_WINDOW_MS } from '../../actors/budget/budget-window.ts';
import { saturatingAdd } from '../../actors/budget/state.ts';
import { parseLedgerId } from '../../actors/ledger/ledger-id.ts';
import { type LedgerReads, type LedgerStretch, readLedgers } from '../../actors/ledger/read-ledgers.ts';
import type { LedgerOwner } from '../../actors/ledger/report/period.ts';
import type { LedgerState } from '../../actors/ledger/state.ts';

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
 * billed impressions are left out. `latestMs`: none was billed later. It may be long after the sale: regions bring
 * impressions for days, and a log whose clock was set back dates them by the one before. The result follows the order
 * of the budgets, whose ledgers are read together.
 */
export async function spentByWindow(
  store: LedgerReads,
  budgets: readonly WindowsToSettle[],
  renderWindowMs: number,
  latestMs: number,
): Promise<ReadonlyMap<number, number>[]> {
  const stretches = budgets.map((settled) => stretchOf(settled, renderWindowMs, latestMs));
  // A ledger from before there were budget windows holds no sums by window.
  const windows = new Map<string, LedgerWindows[]>();
  for (const { id, state } of await readLedgers(store, stretches, ['slots'])) {
    const { scope, whose, sandbox, sandboxGeneration } = parseLedgerId(id);
    const holder = holderKey({ scope, id: whose, sandbox, sandboxGeneration });
    const held = windows.get(holder) ?? [];
    windows.set(holder, held);
    if (state.slots !== undefined) held.push(state.slots);
  }
  return budgets.map((settled) => sumOf(settled, windows.get(holderKey(settled.holder)) ?? [], renderWindowMs));
}

function holderKey({ scope, id, sandbox, sandboxGeneration = 0 }: LedgerOwner): string {
  return `${scope}:${id} ${sandbox} ${sandboxGeneration}`;
}

/**
 * The ledgers that may hold billed impressions of the windows, and of those between them that the budget does not know.
 */
function stretchOf(
  { holder, known, throughMs }: WindowsToSettle,
  renderWindowMs: number,
  latestMs: number,
): LedgerStretch {
  const lateMs = lateByMs(renderWindowMs);
  const lastMs = Math.max(throughMs, ...known);
  const lastBilledMs = Math.max(lastMs + BUDGET_WINDOW_MS + lateMs, latestMs);
  return { owner: holder, fromMs: Math.min(...known) - lateMs, toMs: lastBilledMs + 1 };
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
