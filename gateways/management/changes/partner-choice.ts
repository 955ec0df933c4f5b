import { ApiError } from '../../errors.ts';
import type { ManagementDeps } from '../deps.ts';
import type { Caller } from '../identity/caller.ts';
import { findPartner } from '../identity/find-partner.ts';

/** The partner of a new source: the one the caller acts for, or the one it names. */
export async function partnerForNewSource(
  parts: ManagementDeps,
  caller: Caller,
  wanted: string | null | undefined,
): Promise<string | null> {
  const chosen = await resolvePartnerChoice(parts, caller, wanted);
  return chosen === undefined ? caller.partnerId : chosen;
}

/**
 * The partner that a source is given to, as ids are kept; undefined when nothing is said of it. VALIDATION_ERROR when
 * the account has no such partner. Whoever acts for one partner hands nothing to another (FORBIDDEN).
 */
export async function resolvePartnerChoice(
  parts: ManagementDeps,
  caller: Caller,
  wanted: string | null | undefined,
): Promise<string | null | undefined> {
  if (wanted === undefined) return undefined;
  if (caller.partnerId !== null) {
    if (wanted?.toLowerCase() === caller.partnerId) return caller.partnerId;
    throw new ApiError('FORBIDDEN', 'partner_id is not the partner that X-User-Partner-ID names.');
  }
  if (wanted === null) return null;
  const id = await findPartner(wanted, caller.accountId, parts);
  if (id !== null) return id;
  throw new ApiError('VALIDATION_ERROR', 'partner_id does not name a partner of this account.', 'partner_id');
}
