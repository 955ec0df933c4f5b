import type { NameClaim, ReservedName } from '#actors/name/reservation';
import type { ManagementDeps } from '../deps.ts';
import type { RequestIds } from '../identity/request-ids.ts';
import { withClaimedName } from './claim-name.ts';
import { retryNameClaim } from './retry-name-claim.ts';

export interface NamedUpdate<State extends { readonly borneName: ReservedName }> {
  /** The address of the actor, `kind/id`. */
  readonly address: string;
  readonly identity: RequestIds;
  /** The field in which the caller wrote the name; `name` when absent. */
  readonly field?: string;
  /** Loads the saved state. */
  load(): Promise<State>;
  /** The id of the name that the resource would have after the change. */
  nameIdAfter(state: State): string;
  /**
   * Asks the actor for the change. Rejects with NAME_NOT_CLAIMED when the change needs another name than the claimed
   * one.
   */
  ask(claim: NameClaim | undefined, requestId: string | undefined): Promise<State>;
}

/** Changes a resource that has a unique name. When the change needs another name, that name is claimed first. */
export function updateNamed<State extends { readonly borneName: ReservedName }>(
  deps: ManagementDeps,
  update: NamedUpdate<State>,
): Promise<State> {
  const { address: holder, identity, field = 'name' } = update;
  return retryNameClaim(identity, async ({ claim, requestId }) => {
    const state = await update.load();
    const nameId = update.nameIdAfter(state);
    // A resource without a name is archived; the actor refuses the change itself.
    const keepsName = state.borneName === null || state.borneName.nameId === nameId;
    if (keepsName) return update.ask(undefined, requestId);
    return withClaimedName(deps, { nameId, holder, claim, field }, (nameClaim) => update.ask(nameClaim, requestId));
  });
}
