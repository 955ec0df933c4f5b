import type { PartnerProjection } from '#actors/partner/fields';
import { partner } from '#actors/partner/partner';
import type { PartnerState } from '#actors/partner/reduce';
import { isUuid } from '../../http/uuid.ts';
import type { ManagementDeps } from '../deps.ts';

/** Finds the id of the account's partner that `given` names; null when it names none. */
export async function findPartner(
  given: string,
  accountId: string,
  { replica, store }: Pick<ManagementDeps, 'replica' | 'store'>,
): Promise<string | null> {
  if (!isUuid(given)) return null;
  const id = given.toLowerCase();
  const known = replica.get<PartnerProjection>(partner.kind, id);
  if (known !== undefined) return known.accountId === accountId ? id : null;
  // The replica lags by a moment, and a caller that has just created a partner must be able to act for it at once.
  const [document] = await store.load([{ kind: partner.kind, id }]);
  return document && !document.deleted && (document.state as PartnerState).accountId === accountId ? id : null;
}
