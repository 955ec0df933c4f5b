import { ledger } from '../../../../../actors/ledger/ledger.ts';
import { type LedgerSource, ledgerIds } from '../../../../../actors/ledger/report/period.ts';
import type { ManagementParts } from '../../../parts.ts';
import { loadEach } from '../../metrics/load-each.ts';

/** The longest that any report looks back. */
const lookback = '30d';

/** Ids of those sources that have ledgers which a report could still show. */
export async function withFigures(
  { store, clock }: ManagementParts,
  sources: readonly LedgerSource[],
): Promise<ReadonlySet<string>> {
  const nowMs = clock.now();
  const sourceOf = new Map<string, string>();
  for (const source of sources) {
    for (const ledgerId of ledgerIds(source, lookback, nowMs)) sourceOf.set(ledgerId, source.id);
  }
  const found = new Set<string>();
  for await (const { id } of loadEach(store, ledger.kind, [...sourceOf.keys()])) found.add(sourceOf.get(id)!);
  return found;
}
