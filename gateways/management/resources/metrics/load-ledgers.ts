import { ledger } from '../../../../actors/ledger/ledger.ts';
import {
  type LedgerOwner,
  ledgerIds,
  ledgerIdsBetween,
  type Period,
  type ReportWindow,
  reportWindowOf,
} from '../../../../actors/ledger/report/period.ts';
import { fieldsFor, type LedgerPages, type StoredLedger } from '../../../../actors/ledger/report/sum-ledgers.ts';
import type { LedgerState } from '../../../../actors/ledger/state.ts';
import type { ActorDocument } from '../../../../runtime/ports/store.ts';
import type { ManagementDeps } from '../../deps.ts';
import { loadEach } from './load-each.ts';

/** The books of these sources in one environment. Their sandbox generation is the saved one, so that a flush holds at once. */
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

/** The ledgers that exist of those days that the period ending now touches; the sandbox's since its last flush. */
export function loadLedgers(
  parts: ManagementDeps,
  sources: readonly LedgerOwner[],
  period: Period,
  nowMs: number,
): Promise<LedgerPages[]> {
  const wanted = sources.flatMap((source) => ledgerIds(source, period, nowMs));
  return loadPages(parts, wanted, reportWindowOf(period, nowMs));
}

/** Whole ledgers, those that exist of the days that the window touches; the sandbox's since its last flush. */
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

/** Of these ledgers, those that exist, with no pages but those that say what happened in the window. */
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
