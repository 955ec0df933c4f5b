import { ApiError } from '../../errors.ts';
import type { Caller } from '../identity/caller.ts';

/**
 * Whether a new source is a sandbox source. In the sandbox context all are; asking for a live one there is FORBIDDEN to
 * a sandbox key, and a contradiction in terms for others.
 */
export function sandboxOfNew(caller: Caller, wanted: boolean | undefined): boolean {
  if (!caller.sandbox) return wanted ?? false;
  if (wanted === false) {
    if (caller.sandboxKey) throw new ApiError('FORBIDDEN', 'A sandbox key makes nothing live.');
    throw new ApiError('VALIDATION_ERROR', 'In the sandbox context sandbox cannot be false.', 'sandbox');
  }
  return true;
}

/** Leaving the sandbox makes a source live, which no sandbox key may. */
export function assertMayMove(caller: Caller, wanted: boolean | undefined): void {
  if (caller.sandboxKey && wanted === false) throw new ApiError('FORBIDDEN', 'A sandbox key makes nothing live.');
}

/** The partner of a new source: the one the caller acts for, or the one it names. */
export function partnerOfNew(caller: Caller, wanted: string | null | undefined): string | null {
  assertOwnPartner(caller, wanted);
  return wanted === undefined ? caller.partnerId : wanted;
}

/** Whoever acts for one partner hands nothing to another. */
export function assertOwnPartner(caller: Caller, wanted: string | null | undefined): void {
  if (caller.partnerId !== null && wanted !== undefined && wanted !== caller.partnerId) {
    throw new ApiError('FORBIDDEN', 'partner_id is not the partner that X-User-Partner-ID names.');
  }
}
