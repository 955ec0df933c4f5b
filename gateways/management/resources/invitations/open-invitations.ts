import { invitation } from '#actors/invitation/invitation';
import type { InvitationState } from '#actors/invitation/reduce';
import type { ManagementDeps } from '../../deps.ts';

export interface OpenInvitation {
  readonly id: string;
  readonly state: InvitationState;
}

/**
 * The open invitations of an account, the newest first: those that have neither ended nor expired. Their number is
 * bounded (`invite.ts`).
 */
export async function openInvitations(
  { store, clock }: Pick<ManagementDeps, 'store' | 'clock'>,
  accountId: string,
): Promise<OpenInvitation[]> {
  const where = { accountId, status: 'open', expiresAtMs: { gte: clock.now() + 1 } };
  const { documents } = await store.query(invitation.kind, { where, orderBy: 'createdAt', descending: true });
  return documents.map(({ id, state }) => ({ id, state: state as InvitationState }));
}
