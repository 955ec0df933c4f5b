import type { ActorDocument, StateStore } from '../../../../runtime/ports/store.ts';

/** Documents of one load. */
const piece = 500;

/**
 * The sandbox generations of sources, by id; a campaign's is its DSP's. From the store and not from the replica, so that
 * whoever has flushed reads empty ledgers at once, from whichever process.
 */
export async function sandboxGenerations(
  store: StateStore,
  scope: 'publisher' | 'dsp' | 'campaign',
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const generations = new Map<string, number>();
  if (scope === 'campaign') {
    const dspOf = new Map<string, string>();
    for (const { id, state } of await loadAll(store, scope, ids)) dspOf.set(id, (state as { dspId: string }).dspId);
    const ofDsps = await sandboxGenerations(store, 'dsp', [...new Set(dspOf.values())]);
    for (const [id, dspId] of dspOf) generations.set(id, ofDsps.get(dspId) ?? 0);
    return generations;
  }
  for (const { id, state } of await loadAll(store, scope, ids)) {
    // What an older version saved has none yet.
    generations.set(id, (state as { sandboxGeneration?: number }).sandboxGeneration ?? 0);
  }
  return generations;
}

async function loadAll(store: StateStore, kind: string, ids: readonly string[]): Promise<ActorDocument[]> {
  const found: ActorDocument[] = [];
  for (let start = 0; start < ids.length; start += piece) {
    const keys = ids.slice(start, start + piece).map((id) => ({ kind, id }));
    for (const document of await store.load(keys)) if (document && !document.deleted) found.push(document);
  }
  return found;
}
