import { ledger } from '#actors/ledger/ledger';
import { type LedgerOwner, ledgerIds } from '#actors/ledger/report/period';
import type { ManagementDeps } from '#gateways/management/deps';
import { loadEach } from '../../metrics/load-each.ts';

/** The longest period of any report. */
const longestReportPeriod = '30d';

/** The ids of those sources that have ledgers which a report could still show. */
export async function sourcesWithFigures(
  { store, clock }: ManagementDeps,
  sources: readonly LedgerOwner[],
): Promise<ReadonlySet<string>> {
  const nowMs = clock.now();
  const sourceOf = new Map<string, string>();
  for (const source of sources) {
    for (const ledgerId of ledgerIds(source, longestReportPeriod, nowMs)) sourceOf.set(ledgerId, source.id);
  }
  const found = new Set<string>();
  for await (const { id } of loadEach(store, ledger.kind, [...sourceOf.keys()])) found.add(sourceOf.get(id)!);
  return found;
}
