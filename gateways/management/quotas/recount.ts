import type { LimitedResource } from '#actors/account/limits';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { quota, quotaId } from '#actors/quota/quota';
import { emptyQuota, type QuotaEntry, type QuotaState } from '#actors/quota/reduce';
import { readPages } from '#runtime/ports/read-pages';
import type { ActorDocument } from '#runtime/ports/store';
import { closeDelegate } from '../changes/close-delegate.ts';
import type { ManagementDeps } from '../deps.ts';
import { readDelegateResources } from './delegate-resources.ts';
import { quotaHolderId } from './holder-id.ts';
import { countedRevision, quotaResources } from './quota-resources.ts';

export type RecountDeps = Pick<ManagementDeps, 'messenger' | 'store' | 'clock' | 'logger'>;

/** The key of one count: one sort of resource of an account, live or in the sandbox. */
export interface QuotaKey {
  readonly accountId: string;
  readonly sandbox: boolean;
  readonly resource: LimitedResource;
}

/** The number of documents that are read at once, and of holders in one message. */
const AT_ONCE = 500;

async function loadQuota(
  { store }: Pick<RecountDeps, 'store'>,
  { accountId, sandbox, resource }: QuotaKey,
): Promise<QuotaState> {
  const [document] = await store.load([{ kind: quota.kind, id: quotaId(accountId, sandbox, resource) }]);
  return (document?.state as QuotaState | null | undefined) ?? emptyQuota;
}

/**
 * Counts the resources in the store and reports them to the quota. The recount includes resources of an older release
 * and changes that a process left unreported when it died. It does not include resources that a request is about to
 * create. What an archived demand source still has of campaigns, since its archiving was interrupted or is of an older
 * release, is retired first, or counted where that fails.
 */
export async function recountQuota(deps: RecountDeps, quotaKey: QuotaKey): Promise<void> {
  const { accountId, sandbox, resource } = quotaKey;
  const { messenger, clock } = deps;
  const id = quotaId(accountId, sandbox, resource);
  const before = await loadQuota(deps, quotaKey);
  const { quotaStatusOf: standing, weigh } = quotaResources[resource];
  const nowMs = clock.now();
  const gone = new Map(Object.entries(before.entries));
  let archived = 0;
  let present: Record<string, QuotaEntry> = {};
  for await (const { id: resourceId, state } of resourcesOf(deps, quotaKey)) {
    const status = standing(state, nowMs);
    if (status === 'archived') archived += 1;
    if (status !== 'counts') continue;
    const holder = quotaHolderId(resourceId);
    gone.delete(holder);
    present[holder] = [weigh(state), countedRevision(state), Math.floor(nowMs / 1000)];
    if (Object.keys(present).length < AT_ONCE) continue;
    await messenger.ask(quota, id, 'recount', { present, gone: {}, last: null });
    present = {};
  }
  await messenger.ask(quota, id, 'recount', { present, gone: Object.fromEntries(gone), last: { archived } });
}

/** All resources of the sort, whatever their status. */
async function* resourcesOf(deps: RecountDeps, quotaKey: QuotaKey): AsyncIterable<Pick<ActorDocument, 'id' | 'state'>> {
  const { accountId, sandbox, resource } = quotaKey;
  const { kind } = quotaResources[resource];
  switch (resource) {
    case 'supply_sources':
    case 'demand_sources':
    case 'webhooks':
      return yield* pagesOf(deps, kind, { accountId, sandbox });
    case 'users':
    case 'api_keys':
      if (!sandbox) yield* pagesOf(deps, kind, { accountId });
      return;
    case 'pools':
    case 'partners': {
      // These resources belong to no environment: each is counted where it was created, and those that were never
      // counted are live.
      const { entries } = await loadQuota(deps, { ...quotaKey, sandbox: true });
      for await (const document of pagesOf(deps, kind, { accountId })) {
        if ((entries[quotaHolderId(document.id)] !== undefined) === sandbox) yield document;
      }
      return;
    }
    case 'campaigns':
    case 'strategies':
      for (const { id: dspId, state } of await demandSourcesOf(deps, accountId, sandbox)) {
        const source = state as DspState;
        if (source.status === 'archived' && (await hasClosed(deps, dspId, source))) continue;
        for await (const documents of readDelegateResources(deps, resource, dspId)) yield* documents;
      }
  }
}

/** Closes what an archived demand source still has; false when that fails, which the next recount tries again. */
async function hasClosed(deps: RecountDeps, dspId: string, source: DspState): Promise<boolean> {
  try {
    await closeDelegate(deps, dspId, source);
    return true;
  } catch (error) {
    deps.logger.warn({ err: error, dspId }, 'an archived demand source could not be closed');
    return false;
  }
}

/** All demand sources in the environment. A bidder may have campaigns of when it was a delegate, and keeps them. */
async function demandSourcesOf(
  { store }: RecountDeps,
  accountId: string,
  sandbox: boolean,
): Promise<readonly ActorDocument[]> {
  return (await store.query(dsp.kind, { where: { accountId, sandbox } })).documents;
}

async function* pagesOf(
  { store }: RecountDeps,
  kind: string,
  where: Readonly<Record<string, string | boolean>>,
): AsyncIterable<ActorDocument> {
  for await (const documents of readPages(store, kind, where, AT_ONCE)) yield* documents;
}
