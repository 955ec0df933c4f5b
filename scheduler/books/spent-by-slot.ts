import type { BudgetHolder } from '../../actors/budget/budget-id.ts';
import { SLOT_MS } from '../../actors/budget/slot.ts';
import { DAY_MS, ledgerId } from '../../actors/ledger/ledger-id.ts';
import type { LedgerState } from '../../actors/ledger/reduce.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** For so long after its render window an impression that waited in an edge's spool may still be billed. */
const REPLAYED_WITHIN_MS = 3_600_000;

/** How long after its sale an impression can be billed at most, by the log's clock. */
export function lateByMs(renderWindowMs: number): number {
  return renderWindowMs + REPLAYED_WITHIN_MS;
}

/**
 * What the ledgers of all days on which an impression of these slots may have been billed hold of each, whole nano-dollars.
 * Slots of which nothing was billed are left out.
 */
export async function spentBySlot(
  store: Pick<StateStore, 'load'>,
  { scope, id, sandbox, sandboxGeneration }: BudgetHolder,
  slots: readonly number[],
  renderWindowMs: number,
): Promise<ReadonlyMap<number, number>> {
  const ids = new Set<string>();
  for (const slotMs of slots) {
    const lastBilledMs = slotMs + SLOT_MS + lateByMs(renderWindowMs);
    for (let dayMs = slotMs - (slotMs % DAY_MS); dayMs <= lastBilledMs; dayMs += DAY_MS) {
      ids.add(ledgerId(scope, id, dayMs, sandbox, sandboxGeneration));
    }
  }
  const wanted = new Set(slots.map(String));
  const spent = new Map<number, number>();
  for (const ledger of ids) {
    const [document] = await store.load([{ kind: 'ledger', id: ledger }]);
    // A ledger from before slots were known says nothing of them.
    const held = (document?.state as Partial<Pick<LedgerState, 'slots'>> | null | undefined)?.slots ?? {};
    for (const [slot, { grossNanos }] of Object.entries(held)) {
      if (wanted.has(slot)) spent.set(Number(slot), (spent.get(Number(slot)) ?? 0) + grossNanos);
    }
  }
  return spent;
}
