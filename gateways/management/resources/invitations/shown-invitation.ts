import { account } from '../../../../actors/account/account.ts';
import type { AccountState } from '../../../../actors/account/reduce.ts';
import { invitation } from '../../../../actors/invitation/invitation.ts';
import type { InvitationState } from '../../../../actors/invitation/reduce.ts';
import { ApiError } from '../../../errors.ts';
import type { CountedAddress } from '../../../http/caller-address.ts';
import { type InvitationToken, readInvitationToken } from '../../identity/invitation-token.ts';
import { failures } from '../../identity/passwords/failures.ts';
import { FROM_ONE_NETWORK } from '../../identity/passwords/log-in.ts';
import type { ManagementParts } from '../../parts.ts';
import { isInvitersRight, loadSurroundings, type Surroundings, sourceStands } from './surroundings.ts';

export interface ShownInvitation extends InvitationToken {
  readonly state: InvitationState;
  readonly account: AccountState;
  readonly source: Surroundings['source'];
}

/**
 * The invitation whose token somebody shows. NOT_FOUND in the same words for a token that was made up, and for an invitation that
 * was accepted, revoked or renewed, has expired, is to an archived source, or from somebody who may not invite any more. RATE_LIMITED past
 * fifty of those in a quarter of an hour from one network, unless it is a proxy that everybody may come through.
 */
export async function shownInvitation(
  parts: ManagementParts,
  given: string,
  { network, sharedBy }: CountedAddress,
): Promise<ShownInvitation> {
  const tried = failures(
    parts,
    network === sharedBy ? [] : [{ key: `invitation:${network}`, past: 'refuse', allowed: FROM_ONE_NETWORK }],
  );
  await tried.refuseTooMany();
  const found = await find(parts, given);
  if (found !== null) return found;
  await tried.failed();
  throw noInvitation();
}

export function noInvitation(): ApiError {
  return new ApiError('NOT_FOUND', 'The link is good no more, or never was: ask whoever gave it for another.');
}

async function find(parts: ManagementParts, given: string): Promise<ShownInvitation | null> {
  const token = readInvitationToken(given);
  if (token === null) return null;
  const [document] = await parts.store.load([{ kind: invitation.kind, id: token.invitationId }]);
  const state = document && !document.deleted ? (document.state as InvitationState) : null;
  if (state?.status !== 'open' || state.tokenHash !== token.hash || state.expiresAtMs <= parts.clock.now()) return null;
  const [[around], [ofAccount]] = await Promise.all([
    loadSurroundings(parts, [state]),
    parts.store.load([{ kind: account.kind, id: state.accountId }]),
  ]);
  const owner = (ofAccount?.state ?? null) as AccountState | null;
  const stands = isInvitersRight(state, around!.inviter) && sourceStands(state, around!.source) && owner?.open === true;
  return stands ? { ...token, state, account: owner, source: around!.source } : null;
}
