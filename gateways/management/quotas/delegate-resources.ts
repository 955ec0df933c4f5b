import { readPages } from '#runtime/ports/read-pages';
import type { ActorDocument } from '#runtime/ports/store';
import type { ManagementDeps } from '../deps.ts';
import { quotaResources } from './quota-resources.ts';

/** The resources of a delegate that count in quotas of their own. */
export type DelegateResource = 'campaigns' | 'strategies';

/** The number of documents that are read at once. */
const AT_ONCE = 500;

/** Reads the campaigns of a demand source, or its strategy, whatever their status. */
export async function* readDelegateResources(
  { store }: Pick<ManagementDeps, 'store'>,
  resource: DelegateResource,
  dspId: string,
): AsyncIterable<readonly ActorDocument[]> {
  const { kind } = quotaResources[resource];
  if (resource === 'campaigns') return yield* readPages(store, kind, { dspId }, AT_ONCE);
  const documents = await store.load([{ kind, id: dspId }]);
  yield documents.flatMap((document) => (document && !document.deleted ? [document] : []));
}
