import type { NameClaim } from '#actors/name/reservation';
import type { ManagementDeps } from '../deps.ts';
import type { RequestIds } from '../identity/request-ids.ts';
import { withClaimedName } from './claim-name.ts';
import { retryNameClaim } from './retry-name-claim.ts';

export interface NamedCreation<State> {
  /** The address of the actor, `kind/id`. */
  readonly address: string;
  readonly identity: RequestIds;
  readonly nameId: string;
  /** The field in which the caller wrote the name; `name` when absent. */
  readonly field?: string;
  /** Asks the actor to create itself under the claimed name. */
  ask(claim: NameClaim, requestId: string | undefined): Promise<State>;
}

/** Creates a resource that has a unique name. CONFLICT when another resource has the name. */
export function createNamed<State>(deps: ManagementDeps, creation: NamedCreation<State>): Promise<State> {
  const { address: holder, identity, nameId, field = 'name' } = creation;
  return retryNameClaim(identity, ({ claim, requestId }) =>
    withClaimedName(deps, { nameId, holder, claim, field }, (nameClaim) => creation.ask(nameClaim, requestId)),
  );
}
