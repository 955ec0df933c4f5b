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

/** The ledgers that exist of those days that the period ending now touches; the sandbox's since its last flush. */
export async function loadLedgers(
  parts: ManagementParts,
  books: Books,
  period: Period,
  nowMs: number,
): Promise<StoredLedger[]> {
  const sources = await sourcesNow(parts, books);
  return loadExisting(
    parts,
    sources.flatMap((source) => ledgerIds(source, period, nowMs)),
  );
}

/** The ledgers that exist of those days that the window touches; the sandbox's since its last flush. */
export async function loadLedgersOf(
  parts: ManagementParts,
  books: Books,
  { fromMs, toMs }: Window,
): Promise<StoredLedger[]> {
  const sources = await sourcesNow(parts, books);
  return loadExisting(
    parts,
    sources.flatMap((source) => ledgerIdsBetween(source, fromMs, toMs)),
  );
}

async function sourcesNow({ store }: ManagementParts, { scope, ids, sandbox }: Books): Promise<LedgerSource[]> {
  const generations = sandbox ? await sandboxGenerations(store, scope, ids) : null;
  return ids.map((id) => ({ scope, id, sandbox, sandboxGeneration: generations?.get(id) ?? 0 }));
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
