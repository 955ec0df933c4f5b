import type { NameClaim } from '../../../actors/name/reservation.ts';
import type { ManagementDeps } from '../deps.ts';
import type { RequestIds } from '../identity/request-ids.ts';
import { withClaimedName } from './claim-name.ts';
import { retryNameClaim } from './retry-name-claim.ts';

export interface NamedCreation<State> {
  /** Of the actor, `kind/id`. */
  readonly address: string;
  readonly identity: RequestIds;
  readonly nameId: string;
  /** What the caller wrote the name into; `name` when absent. */
  readonly field?: string;
  /** Asks the actor to come into being under the claimed name. */
  ask(claim: NameClaim, requestId: string | undefined): Promise<State>;
}

/** Makes something that bears a name. CONFLICT when another bears it. */
export function createNamed<State>(parts: ManagementDeps, creation: NamedCreation<State>): Promise<State> {
  const { address: holder, identity, nameId, field = 'name' } = creation;
  return retryNameClaim(identity, ({ claim, requestId }) =>
    withClaimedName(parts, { nameId, holder, claim, field }, (held) => creation.ask(held, requestId)),
  );
}
