import type { DspState } from '#actors/dsp/reduce';
import type { InvitationState } from '#actors/invitation/reduce';
import type { PublisherState } from '#actors/publisher/reduce';
import type { UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import type { ActorDocument } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';

type SourceState = PublisherState | DspState;

/** The saved states that an invitation depends on; null for what does not exist, or no longer does. */
export interface InvitationContext {
  readonly inviter: UserState | null;
  readonly source: SourceState | null;
}

type InvitationTarget = Pick<InvitationState, 'accountId' | 'role' | 'source' | 'invitedBy'>;

/** Loads the contexts in the order of the invitations. */
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

/** Whether the inviter may still invite: a member into the own account and its sources, an operator into any. */
export function mayInvite({ accountId, role }: InvitationTarget, inviter: UserState | null): boolean {
  if (inviter?.status !== 'active') return false;
  if (inviter.role === 'operator') return true;
  return inviter.role === 'member' && inviter.accountId === accountId && role !== 'operator';
}

/** Whether the source of the invitation, if it has one, exists and is not archived. */
export function isSourceAvailable({ accountId, source }: InvitationTarget, state: SourceState | null): boolean {
  if (source === null) return true;
  return state?.accountId === accountId && (state.status === 'active' || state.status === 'sandbox');
}
