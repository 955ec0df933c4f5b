import { readLedgerPages } from '#actors/ledger/read-ledgers';
import { type LedgerOwner, reportWindowOf } from '#actors/ledger/report/period';
import type { ManagementDeps } from '#gateways/management/deps';

/** The longest period of any report. */
const longestReportPeriod = '30d';

/** The ids of those sources that have ledgers which a report could still show. */
export async function sourcesWithFigures(
  { store, clock }: ManagementDeps,
  sources: readonly LedgerOwner[],
): Promise<ReadonlySet<string>> {
  const window = reportWindowOf(longestReportPeriod, clock.now());
  const found = new Set<string>();
  for (const source of sources) if ((await readLedgerPages(store, [source], window)).length > 0) found.add(source.id);
  return found;
}
