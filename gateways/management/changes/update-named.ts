import type { BorneName, Claim } from '../../../actors/name/bearing.ts';
import type { RequestIdentity } from '../identity/request-identity.ts';
import type { ManagementParts } from '../parts.ts';
import { attempts } from './attempts.ts';
import { withClaimedName } from './claim-name.ts';

export interface NamedUpdate<State extends { readonly borneName: BorneName }> {
  /** Of the actor, `kind/id`. */
  readonly address: string;
  readonly identity: RequestIdentity;
  /** What the caller wrote the name into; `name` when absent. */
  readonly field?: string;
  /** The state as it is saved now. */
  load(): Promise<State>;
  /** The id of the name that the state would bear after the change. */
  nameIdAfter(state: State): string;
  /** Asks the actor for the change. Rejects with NAME_NOT_CLAIMED when it needs another name than the one claimed. */
  ask(claim: Claim | undefined, requestId: string | undefined): Promise<State>;
}

/** Changes something that bears a name, claiming another name first when the change needs one. */
export function updateNamed<State extends { readonly borneName: BorneName }>(
  parts: ManagementParts,
  update: NamedUpdate<State>,
): Promise<State> {
  const { address: holder, identity, field = 'name' } = update;
  return attempts(identity, async ({ claim, requestId }) => {
    const state = await update.load();
    const nameId = update.nameIdAfter(state);
    // What bears no name is archived; the actor says so.
    const keepsName = state.borneName === null || state.borneName.nameId === nameId;
    if (keepsName) return update.ask(undefined, requestId);
    return withClaimedName(parts, { nameId, holder, claim, field }, (held) => update.ask(held, requestId));
  });
}
