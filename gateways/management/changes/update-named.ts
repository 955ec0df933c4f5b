import type { NameClaim, ReservedName } from '../../../actors/name/reservation.ts';
import type { ManagementDeps } from '../deps.ts';
import type { RequestIds } from '../identity/request-ids.ts';
import { withClaimedName } from './claim-name.ts';
import { retryNameClaim } from './retry-name-claim.ts';

export interface NamedUpdate<State extends { readonly borneName: ReservedName }> {
  /** Of the actor, `kind/id`. */
  readonly address: string;
  readonly identity: RequestIds;
  /** What the caller wrote the name into; `name` when absent. */
  readonly field?: string;
  /** The state as it is saved now. */
  load(): Promise<State>;
  /** The id of the name that the state would bear after the change. */
  nameIdAfter(state: State): string;
  /** Asks the actor for the change. Rejects with NAME_NOT_CLAIMED when it needs another name than the one claimed. */
  ask(claim: NameClaim | undefined, requestId: string | undefined): Promise<State>;
}

/** Changes something that bears a name, claiming another name first when the change needs one. */
export function updateNamed<State extends { readonly borneName: ReservedName }>(
  parts: ManagementDeps,
  update: NamedUpdate<State>,
): Promise<State> {
  const { address: holder, identity, field = 'name' } = update;
  return retryNameClaim(identity, async ({ claim, requestId }) => {
    const state = await update.load();
    const nameId = update.nameIdAfter(state);
    // What bears no name is archived; the actor says so.
    const keepsName = state.borneName === null || state.borneName.nameId === nameId;
    if (keepsName) return update.ask(undefined, requestId);
    return withClaimedName(parts, { nameId, holder, claim, field }, (held) => update.ask(held, requestId));
  });
}
