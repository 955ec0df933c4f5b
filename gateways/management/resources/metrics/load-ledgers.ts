import { ledger } from '#actors/ledger/ledger';
import {
  type LedgerOwner,
  ledgerIds,
  ledgerIdsBetween,
  type Period,
  type ReportWindow,
  reportWindowOf,
} from '#actors/ledger/report/period';
import { fieldsFor, type LedgerPages, type StoredLedger } from '#actors/ledger/report/sum-ledgers';
import type { LedgerState } from '#actors/ledger/state';
import type { ActorDocument } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';
import { loadEach } from './load-each.ts';

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
 * Loads the existing ledgers of the days that the period ending now touches; in the sandbox only those since the last
 * flush.
 */
export function loadLedgers(
  deps: ManagementDeps,
  sources: readonly LedgerOwner[],
  period: Period,
  nowMs: number,
): Promise<LedgerPages[]> {
  const wanted = sources.flatMap((source) => ledgerIds(source, period, nowMs));
  return loadPages(deps, wanted, reportWindowOf(period, nowMs));
}

/**
 * Loads the existing ledgers, with all pages, of the days that the window touches; in the sandbox only those since the
 * last flush.
 */
export async function loadLedgersOf(
  { store }: Pick<ManagementDeps, 'store'>,
  sources: readonly LedgerOwner[],
  { fromMs, toMs }: ReportWindow,
): Promise<StoredLedger[]> {
  const found: StoredLedger[] = [];
  const wanted = sources.flatMap((source) => ledgerIdsBetween(source, fromMs, toMs));
  for await (const { id, state } of loadEach(store, ledger.kind, wanted)) {
    found.push({ id, state: state as LedgerState });
  }
  return found;
}

/** Loads those of these ledgers that exist, with only the pages that the window needs. */
export async function loadPages(
  { store }: Pick<ManagementDeps, 'store'>,
  wanted: readonly string[],
  window: ReportWindow,
): Promise<LedgerPages[]> {
  const found: LedgerPages[] = [];
  const overflown: string[] = [];
  for await (const { id, state } of loadEach(store, ledger.kind, wanted, fieldsFor(window))) {
    const pages = state as Partial<LedgerState>;
    if (window.grain.name === 'days' && pages.daysOverflown) overflown.push(id);
    else found.push({ id, state: pages });
  }
  for await (const { id, state } of loadEach(store, ledger.kind, overflown)) {
    found.push({ id, state: state as LedgerState });
  }
  return found;
}
