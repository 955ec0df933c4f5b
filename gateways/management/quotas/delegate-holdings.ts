import { quota, quotaId } from '#actors/quota/quota';
import type { ManagementDeps } from '../deps.ts';
import { type DelegateResource, readDelegateResources } from './delegate-resources.ts';
import { quotaHolderId } from './holder-id.ts';
import { countedRevision, quotaResources } from './quota-resources.ts';
import type { QuotaKey } from './recount.ts';
import { inReservedRoom, reserveQuota, tellQuota } from './within-quota.ts';

const DELEGATE_RESOURCES = ['campaigns', 'strategies'] as const;

/** Several resources of one sort: bytes and revision, by holder. */
interface Holdings {
  readonly resource: DelegateResource;
  readonly holders: Readonly<Record<string, [bytes: number, revision: number]>>;
}

/** Loads what a demand source holds in the quotas of its environment, in parts of one message each. */
async function loadDelegateHoldings(deps: ManagementDeps, dspId: string): Promise<readonly Holdings[]> {
  const nowMs = deps.clock.now();
  const loaded: Holdings[] = [];
  for (const resource of DELEGATE_RESOURCES) {
    const { quotaStatusOf, weigh } = quotaResources[resource];
    for await (const documents of readDelegateResources(deps, resource, dspId)) {
      const counted = documents.filter(({ state }) => quotaStatusOf(state, nowMs) === 'counts');
      const holders = counted.map(
        ({ id, state }) => [quotaHolderId(id), [weigh(state), countedRevision(state)]] as const,
      );
      if (holders.length > 0) loaded.push({ resource, holders: Object.fromEntries(holders) as Holdings['holders'] });
    }
  }
  return loaded;
}

/** A demand source that moves to an environment. */
export interface MovedDelegate {
  readonly accountId: string;
  readonly id: string;
  /** The environment that it moves to. */
  readonly sandbox: boolean;
}

/**
 * Reserves room for the campaigns and the strategy of a demand source in the environment that it moves to, runs `act`,
 * which moves it, and releases their room in the other. CONFLICT and QUOTA_EXCEEDED as by `withinQuota`; `act` does not
 * run then, nor after any other failure to reserve room, and what was reserved is given back. A campaign that is
 * created or changed during the move is counted right by the next recount.
 */
export async function moveHoldings<State>(
  deps: ManagementDeps,
  { accountId, id, sandbox }: MovedDelegate,
  act: () => Promise<State>,
): Promise<State> {
  const { messenger } = deps;
  const claim = deps.random.id();
  const loaded = await loadDelegateHoldings(deps, id);
  const giveBack = async (): Promise<void> => {
    for (const { resource, holders } of loaded) {
      const body = { holders: Object.keys(holders), claim };
      await tellQuota(deps, () => messenger.tell(quota, quotaId(accountId, sandbox, resource), 'give-back-all', body));
    }
  };
  try {
    for (const { resource, holders } of loaded) {
      const bytes = Object.fromEntries(Object.entries(holders).map(([holder, [weight]]) => [holder, weight]));
      const key = { accountId, sandbox, resource };
      await reserveQuota(deps, key, (terms) =>
        messenger.ask(quota, quotaId(accountId, sandbox, resource), 'take-all', { holders: bytes, claim, ...terms }),
      );
    }
  } catch (error) {
    await giveBack();
    throw error;
  }
  const state = await inReservedRoom(act, giveBack);
  for (const { resource, holders } of loaded) {
    await tellQuota(deps, () =>
      messenger.tell(quota, quotaId(accountId, sandbox, resource), 'settle-all', { holders, claim }),
    );
  }
  for (const { resource, holders } of loaded) {
    await dropAll(deps, { accountId, sandbox: !sandbox, resource }, Object.keys(holders));
  }
  return state;
}

/**
 * Releases the room of all campaigns of an archived demand source, and of its strategy: also of those that an archiving
 * retired that was interrupted before it released their room.
 */
export async function releaseDelegate(
  deps: ManagementDeps,
  { accountId, id, sandbox }: { readonly accountId: string; readonly id: string; readonly sandbox: boolean },
): Promise<void> {
  for (const resource of DELEGATE_RESOURCES) {
    for await (const documents of readDelegateResources(deps, resource, id)) {
      const holders = documents.map((document) => quotaHolderId(document.id));
      await dropAll(deps, { accountId, sandbox, resource }, holders);
    }
  }
}

async function dropAll(
  deps: ManagementDeps,
  { accountId, sandbox, resource }: QuotaKey,
  holders: readonly string[],
): Promise<void> {
  if (holders.length === 0) return;
  const body = { holders: [...holders] };
  await tellQuota(deps, () => deps.messenger.tell(quota, quotaId(accountId, sandbox, resource), 'drop-all', body));
}
