import type { Claim } from '../../../actors/name/bearing.ts';
import type { RequestIdentity } from '../identity/request-identity.ts';
import type { ManagementParts } from '../parts.ts';
import { attempts } from './attempts.ts';
import { withClaimedName } from './claim-name.ts';

export interface NamedCreation<State> {
  /** Of the actor, `kind/id`. */
  readonly address: string;
  readonly identity: RequestIdentity;
  readonly nameId: string;
  /** What the caller wrote the name into; `name` when absent. */
  readonly field?: string;
  /** Asks the actor to come into being under the claimed name. */
  ask(claim: Claim, requestId: string | undefined): Promise<State>;
}

/** Makes something that bears a name. CONFLICT when another bears it. */
export function createNamed<State>(parts: ManagementParts, creation: NamedCreation<State>): Promise<State> {
  const { address: holder, identity, nameId, field = 'name' } = creation;
  return attempts(identity, ({ claim, requestId }) =>
    withClaimedName(parts, { nameId, holder, claim, field }, (held) => creation.ask(held, requestId)),
  );
}
