import type { BorneName, Claim } from '../../../actors/name/bearing.ts';
import { Rejected } from '../../../runtime/actor/errors.ts';
import { ApiError } from '../errors.ts';
import type { RequestIdentity } from '../identity/request-identity.ts';
import type { ManagementParts } from '../parts.ts';
import { withClaimedName } from './claim-name.ts';

export interface NamedUpdate<State extends { readonly borneName: BorneName }> {
  /** Of the actor, `kind/id`. */
  readonly address: string;
  readonly identity: RequestIdentity;
  /** The state as it is saved now. */
  load(): Promise<State>;
  /** The id of the name that the state would bear after the change. */
  nameIdAfter(state: State): string;
  /** Asks the actor for the change. Rejects with NAME_NOT_CLAIMED when it needs another name than the one claimed. */
  ask(claim: Claim | undefined, requestId: string | undefined): Promise<State>;
}

const attempts = 3;

/** Changes something that bears a name, claiming another name first when the change needs one. */
export async function updateNamed<State extends { readonly borneName: BorneName }>(
  parts: ManagementParts,
  update: NamedUpdate<State>,
): Promise<State> {
  const { identity } = update;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const state = await update.load();
    const nameId = update.nameIdAfter(state);
    const requestId = identity.askId(attempt === 1 ? '' : `#${attempt}`);
    // What bears no name is archived; the actor says so.
    const keepsName = state.borneName === null || state.borneName.nameId === nameId;
    try {
      if (keepsName) return await update.ask(undefined, requestId);
      const claim = `${identity.claimId}#${attempt}`;
      return await withClaimedName(parts, { nameId, holder: update.address, claim }, (held) =>
        update.ask(held, requestId),
      );
    } catch (error) {
      if (!(error instanceof Rejected && error.code === 'NAME_NOT_CLAIMED')) throw error;
    }
  }
  throw new ApiError('CONFLICT', 'Others are changing the same resource; ask again.');
}
