import { readLedgerPages, readLedgers } from '#actors/ledger/read-ledgers';
import { type LedgerOwner, type Period, type ReportWindow, reportWindowOf } from '#actors/ledger/report/period';
import type { LedgerPages } from '#actors/ledger/report/sum-ledgers';
import type { ActorDocument } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';

/**
 * The ledger owners of these sources in one environment. They carry the saved sandbox generation, so that a flush takes
 * effect at once.
 */
export function ledgerOwners(
  scope: 'publisher' | 'dsp',
  documents: readonly ActorDocument[],
  sandbox: boolean,
): LedgerOwner[] {
  return documents.map(({ id, state }) => {
    const { sandboxGeneration } = state as { sandboxGeneration: number };
    return { scope, id, sandbox, sandboxGeneration };
  });
}

/**
 * Loads the existing ledgers of the period ending now, with only the pages that it needs; in the sandbox only those
 * since the last flush.
 */
export function loadLedgers(
  { store }: Pick<ManagementDeps, 'store'>,
  sources: readonly LedgerOwner[],
  period: Period,
  nowMs: number,
): Promise<LedgerPages[]> {
  return readLedgerPages(store, sources, reportWindowOf(period, nowMs), nowMs);
}

/** Loads the existing ledgers of the window with their hours and budget windows. */
export function loadLedgersOf(
  { store }: Pick<ManagementDeps, 'store'>,
  sources: readonly LedgerOwner[],
  { fromMs, toMs }: ReportWindow,
): Promise<LedgerPages[]> {
  return readLedgers(
    store,
    sources.map((owner) => ({ owner, fromMs, toMs })),
    ['hours', 'slots'],
  );
}
