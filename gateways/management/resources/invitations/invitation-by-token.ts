import { account } from '#actors/account/account';
import type { AccountState } from '#actors/account/reduce';
import { invitation } from '#actors/invitation/invitation';
import type { InvitationState } from '#actors/invitation/reduce';
import { ApiError } from '#gateways/errors';
import type { RateLimitAddress } from '#gateways/http/caller-address';
import type { ManagementDeps } from '../../deps.ts';
import { type InvitationToken, readInvitationToken } from '../../identity/invitation-token.ts';
import { MAX_FAILURES_PER_NETWORK } from '../../identity/passwords/log-in.ts';
import { createPasswordFailures } from '../../identity/passwords/password-failures.ts';
import { type InvitationContext, isSourceAvailable, loadInvitationContexts, mayInvite } from './invitation-context.ts';

export interface TokenInvitation extends InvitationToken {
  readonly state: InvitationState;
  readonly account: AccountState;
  readonly source: InvitationContext['source'];
}

/**
 * Finds the invitation of a token. NOT_FOUND, always with the same message, for a token that was never issued, and for
 * an invitation that was accepted, revoked or renewed, has expired, is for an archived source, or comes from a user who
 * may no longer invite. RATE_LIMITED after 50 such answers in 15 minutes for one network, unless it is a proxy that all
 * callers may share.
 */
export async function invitationByToken(
  deps: ManagementDeps,
  given: string,
  { network, sharedBy }: RateLimitAddress,
): Promise<TokenInvitation> {
  const failures = createPasswordFailures(
    deps,
    network === sharedBy
      ? []
      : [{ key: `invitation:${network}`, beyondLimit: 'refuse', allowed: MAX_FAILURES_PER_NETWORK }],
  );
  await failures.refuseTooMany();
  const found = await find(deps, given);
  if (found !== null) return found;
  await failures.failed();
  throw invitationNotFound();
}

export function invitationNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'The link is good no more, or never was: ask whoever gave it for another.');
}

async function find(deps: ManagementDeps, given: string): Promise<TokenInvitation | null> {
  const token = readInvitationToken(given);
  if (token === null) return null;
  const [document] = await deps.store.load([{ kind: invitation.kind, id: token.invitationId }]);
  const state = document && !document.deleted ? (document.state as InvitationState) : null;
  if (state?.status !== 'open' || state.tokenHash !== token.hash || state.expiresAtMs <= deps.clock.now()) return null;
  const [[context], [ofAccount]] = await Promise.all([
    loadInvitationContexts(deps, [state]),
    deps.store.load([{ kind: account.kind, id: state.accountId }]),
  ]);
  const owner = (ofAccount?.state ?? null) as AccountState | null;
  const isOpen =
    mayInvite(state, context!.inviter) && isSourceAvailable(state, context!.source) && owner?.open === true;
  return isOpen ? { ...token, state, account: owner, source: context!.source } : null;
}
