import type { DspState } from '../../../../actors/dsp/reduce.ts';
import type { InvitationState } from '../../../../actors/invitation/reduce.ts';
import type { PublisherState } from '../../../../actors/publisher/reduce.ts';
import type { UserState } from '../../../../actors/user/reduce.ts';
import { user } from '../../../../actors/user/user.ts';
import type { ActorDocument } from '../../../../runtime/ports/store.ts';
import type { ManagementDeps } from '../../deps.ts';

type SourceState = PublisherState | DspState;

/** What an invitation stands on, as it is saved now; null for what is not, or no more. */
export interface InvitationContext {
  readonly inviter: UserState | null;
  readonly source: SourceState | null;
}

type InvitationTarget = Pick<InvitationState, 'accountId' | 'role' | 'source' | 'invitedBy'>;

/** In the order of the invitations. */
export async function loadInvitationContexts(
  { store }: Pick<ManagementDeps, 'store'>,
  invitations: readonly InvitationTarget[],
): Promise<InvitationContext[]> {
  const keys = invitations.flatMap(({ invitedBy, source }) => [
    { kind: user.kind, id: invitedBy },
    ...(source === null ? [] : [{ kind: source.type, id: source.id }]),
  ]);
  const documents = await store.load(keys);
  let next = 0;
  return invitations.map(({ source }) => ({
    inviter: stateOf<UserState>(documents[next++]),
    source: source === null ? null : stateOf<SourceState>(documents[next++]),
  }));
}

function stateOf<State>(document: ActorDocument | null | undefined): State | null {
  return document && !document.deleted ? (document.state as State) : null;
}

/** Whether whoever invited may do so still: a member into the own account and its sources, an operator anybody. */
export function mayInvite({ accountId, role }: InvitationTarget, inviter: UserState | null): boolean {
  if (inviter?.status !== 'active') return false;
  if (inviter.role === 'operator') return true;
  return inviter.role === 'member' && inviter.accountId === accountId && role !== 'operator';
}

/** Whether the source that it is for, if it is for one, is there and not archived. */
export function isSourceAvailable({ accountId, source }: InvitationTarget, state: SourceState | null): boolean {
  if (source === null) return true;
  return state?.accountId === accountId && (state.status === 'active' || state.status === 'sandbox');
}
