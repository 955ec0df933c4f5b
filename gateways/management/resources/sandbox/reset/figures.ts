import { ledger } from '../../../../../actors/ledger/ledger.ts';
import { ledgerIds } from '../../../../../actors/ledger/report/period.ts';
import type { ManagementParts } from '../../../parts.ts';
import { sandboxGenerations } from '../../metrics/sandbox-generations.ts';

/** Ledgers of one load. */
const piece = 500;
/** The longest that any report looks back. */
const lookback = '30d';

/** Those sources that have sandbox ledgers which a report could still show. */
export async function withSandboxFigures(
  { store, clock }: ManagementParts,
  scope: 'publisher' | 'dsp',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const nowMs = clock.now();
  const generations = await sandboxGenerations(store, scope, ids);
  const wanted = ids.flatMap((id) =>
    ledgerIds({ scope, id, sandbox: true, sandboxGeneration: generations.get(id) ?? 0 }, lookback, nowMs).map(
      (ledgerId) => ({ id, ledgerId }),
    ),
  );
  const found = new Set<string>();
  for (let start = 0; start < wanted.length; start += piece) {
    const some = wanted.slice(start, start + piece);
    const documents = await store.load(some.map(({ ledgerId }) => ({ kind: ledger.kind, id: ledgerId })));
    for (const [index, document] of documents.entries()) if (document) found.add(some[index]!.id);
  }
  return found;
}
