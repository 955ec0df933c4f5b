import { ApiError } from '../../errors.ts';
import type { ManagementDeps } from '../deps.ts';
import type { Caller } from '../identity/caller.ts';
import { findPartner } from '../identity/find-partner.ts';

/** The partner of a new source: the partner that the caller acts for, or the one that the request names. */
export async function partnerForNewSource(
  deps: ManagementDeps,
  caller: Caller,
  requested: string | null | undefined,
): Promise<string | null> {
  const chosen = await resolvePartnerChoice(deps, caller, requested);
  return chosen === undefined ? caller.partnerId : chosen;
}

/**
 * The partner that a request assigns to a source, as its stored id; undefined when the request does not say.
 * VALIDATION_ERROR when the account has no such partner. A caller that acts for one partner may not assign another
 * (FORBIDDEN).
 */
export async function resolvePartnerChoice(
  deps: ManagementDeps,
  caller: Caller,
  requested: string | null | undefined,
): Promise<string | null | undefined> {
  if (requested === undefined) return undefined;
  if (caller.partnerId !== null) {
    if (requested?.toLowerCase() === caller.partnerId) return caller.partnerId;
    throw new ApiError('FORBIDDEN', 'partner_id is not the partner that X-User-Partner-ID names.');
  }
  if (requested === null) return null;
  const id = await findPartner(requested, caller.accountId, deps);
  if (id !== null) return id;
  throw new ApiError('VALIDATION_ERROR', 'partner_id does not name a partner of this account.', 'partner_id');
}
