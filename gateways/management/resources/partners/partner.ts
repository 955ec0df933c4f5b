import Type, { type Static } from 'typebox';
import { partner } from '../../../../actors/partner/partner.ts';
import type { PartnerState } from '../../../../actors/partner/reduce.ts';
import { ApiError } from '../../../errors.ts';
import { loadVisible } from '../../changes/load-visible.ts';
import type { Caller } from '../../identity/caller.ts';
import type { ManagementParts } from '../../parts.ts';
import { Name, Timestamp, Uuid } from '../fields.ts';

/** A partner as the API shows it. Live and sandbox sources of the account belong to the same partners. */
export const Partner = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'What `X-User-Partner-ID` and `partner_id` name.' }),
    name: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Partner' },
);
export type Partner = Static<typeof Partner>;

export const partnerFields = { name: Name };

export const PartnerParams = Type.Object({ id: Uuid });

export function showPartner(id: string, state: PartnerState): Partner {
  return { id, name: state.name, created_at: state.createdAt, updated_at: state.updatedAt };
}

/** Whoever acts for one partner sees that one alone. */
export function loadPartner(parts: ManagementParts, id: string, caller: Caller): Promise<PartnerState> {
  const { accountId, partnerId } = caller;
  if (partnerId !== null && partnerId !== id) {
    throw new ApiError('NOT_FOUND', 'The partner does not exist.');
  }
  const scope = { accountId, partnerId: null, sandboxOnly: false };
  return loadVisible<PartnerState>(parts, partner.kind, id, scope, 'The partner');
}
