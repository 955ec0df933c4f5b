import { ledger } from '../../../../actors/ledger/ledger.ts';
import type { LedgerState } from '../../../../actors/ledger/reduce.ts';
import {
  type LedgerSource,
  ledgerIds,
  ledgerIdsBetween,
  type Period,
  type Window,
} from '../../../../actors/ledger/report/period.ts';
import type { StoredLedger } from '../../../../actors/ledger/report/sum.ts';
import type { ActorDocument } from '../../../../runtime/ports/store.ts';
import type { ManagementParts } from '../../parts.ts';
import { loadEach } from './load-each.ts';

/** The books of these sources in one environment. Their sandbox generation is the saved one, so that a flush holds at once. */
export function ledgerSources(
  scope: 'publisher' | 'dsp',
  documents: readonly ActorDocument[],
  sandbox: boolean,
): LedgerSource[] {
  return documents.map(({ id, state }) => {
    const { sandboxGeneration } = state as { sandboxGeneration: number };
    return { scope, id, sandbox, sandboxGeneration };
  });
}

/** The ledgers that exist of those days that the period ending now touches; the sandbox's since its last flush. */
export function loadLedgers(
  parts: ManagementParts,
  sources: readonly LedgerSource[],
  period: Period,
  nowMs: number,
): Promise<StoredLedger[]> {
  return loadLedgerIds(
    parts,
    sources.flatMap((source) => ledgerIds(source, period, nowMs)),
  );
}

/** The ledgers that exist of those days that the window touches; the sandbox's since its last flush. */
export function loadLedgersOf(
  parts: ManagementParts,
  sources: readonly LedgerSource[],
  { fromMs, toMs }: Window,
): Promise<StoredLedger[]> {
  return loadLedgerIds(
    parts,
    sources.flatMap((source) => ledgerIdsBetween(source, fromMs, toMs)),
  );
}

/** Those of these ledgers that exist. */
export async function loadLedgerIds(
  { store }: Pick<ManagementParts, 'store'>,
  wanted: readonly string[],
): Promise<StoredLedger[]> {
  const found: StoredLedger[] = [];
  for await (const { id, state } of loadEach(store, ledger.kind, wanted)) {
    found.push({ id, state: state as LedgerState });
  }
  return found;
}
