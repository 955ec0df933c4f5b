import { ledger } from '../../../../actors/ledger/ledger.ts';
import type { LedgerState } from '../../../../actors/ledger/reduce.ts';
import { ledgerIds, ledgerIdsBetween, type Period, type Window } from '../../../../actors/ledger/report/period.ts';
import type { StoredLedger } from '../../../../actors/ledger/report/sum.ts';
import type { ManagementParts } from '../../parts.ts';
import { sandboxGenerations } from './sandbox-generations.ts';

/** Whose books to read, and of which environment. */
export interface Books {
  readonly scope: 'publisher' | 'dsp' | 'campaign';
  readonly ids: readonly string[];
  readonly sandbox: boolean;
}

/** Ledgers of one load: a report on many sources and days reads them in pieces. */
const piece = 500;

/** The ledgers that exist of those days that the period ending now touches. */
export async function loadLedgers(
  parts: ManagementParts,
  { scope, ids, sandbox }: Books,
  period: Period,
  nowMs: number,
): Promise<StoredLedger[]> {
  const wanted = ids.flatMap((id) => ledgerIds({ scope, id, sandbox }, period, nowMs));
  return loadExisting(parts, wanted);
}

/** The ledgers that exist of those days that the window touches. */
export async function loadLedgersOf(
  parts: ManagementParts,
  { scope, ids, sandbox }: Books,
  { fromMs, toMs }: Window,
): Promise<StoredLedger[]> {
  const wanted = ids.flatMap((id) => ledgerIdsBetween({ scope, id, sandbox }, fromMs, toMs));
  return loadExisting(parts, wanted);
}

async function loadExisting({ store }: ManagementParts, wanted: readonly string[]): Promise<StoredLedger[]> {
  const found: StoredLedger[] = [];
  for (let start = 0; start < wanted.length; start += piece) {
    const keys = wanted.slice(start, start + piece).map((id) => ({ kind: ledger.kind, id }));
    for (const document of await store.load(keys)) {
      if (document && !document.deleted) found.push({ id: document.id, state: document.state as LedgerState });
    }
  }
  return found;
}
