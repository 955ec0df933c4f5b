import { OTHERS_KEY } from '#actors/ledger/page';
import type { LedgerSum } from '#actors/ledger/report/ledger-sum';
import type { ManagementDeps } from '../../deps.ts';

/** The names of the counterparties in a sum. A source that is no longer known is named by its id. */
export async function counterpartyNames(
  { store }: ManagementDeps,
  kind: 'publisher' | 'dsp',
  { counterparties }: LedgerSum,
): Promise<(id: string) => string> {
  const ids = [...counterparties.keys()].filter((id) => id !== OTHERS_KEY);
  const documents = await store.load(ids.map((id) => ({ kind, id })));
  const names = new Map([[OTHERS_KEY, 'Others']]);
  for (const document of documents) {
    if (document && !document.deleted) names.set(document.id, (document.state as { name: string }).name);
  }
  return (id) => names.get(id) ?? id;
}
