import Type, { type Static } from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { shownProperties, toApi } from '#actors/field-table';
import { partnerFields } from '#actors/partner/fields';
import { partner } from '#actors/partner/partner';
import type { PartnerState } from '#actors/partner/reduce';
import { ApiError } from '#gateways/errors';
import { loadVisible } from '../../changes/load-visible.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';

/** A partner as the API shows it. Live and sandbox sources of the account belong to the same partners. */
export const Partner = Type.Object(shownProperties(partnerFields), { title: 'Partner' });
export type Partner = Static<typeof Partner>;

export const PartnerParams = Type.Object({ id: Uuid });

export function showPartner(id: string, state: PartnerState): Partner {
  return toApi(partnerFields, state, { id });
}

/** Loads a partner. A caller that acts for one partner sees only that one. */
export function loadPartner(deps: ManagementDeps, id: string, caller: Caller): Promise<PartnerState> {
  const { accountId, partnerId } = caller;
  if (partnerId !== null && partnerId !== id) {
    throw new ApiError('NOT_FOUND', 'The partner does not exist.');
  }
  const scope = { accountId, partnerId: null, sandboxOnly: false };
  return loadVisible<PartnerState>(deps, partner.kind, id, scope, 'The partner');
}
