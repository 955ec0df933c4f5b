import Type from 'typebox';
import { partner } from '#actors/partner/partner';
import type { PartnerState } from '#actors/partner/reduce';
import { orderOf, sorting } from '../../lists/order-of.ts';
import { optionalPaging, pageIn } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { Partner, showPartner } from './partner.ts';

export const listPartners = defineRoute({
  method: 'GET',
  path: '/api/partners',
  tag: 'Partners',
  operationId: 'listPartners',
  summary: 'List the partners of the account, oldest first',
  description: 'With `X-User-Partner-ID`, that partner alone.',
  access: 'account',
  query: Type.Object({ ...sorting('created_at', 'updated_at', 'name'), ...optionalPaging }),
  answer: { status: 200, schema: Type.Object({ partners: Type.Array(Partner), total: Type.Integer() }) },
  async handle({ query, caller: { accountId, partnerId }, parts }) {
    const { documents } = await parts.store.query(partner.kind, { where: { accountId }, ...orderOf(query.sort) });
    const partners = documents
      .filter(({ id }) => partnerId === null || id === partnerId)
      .map(({ id, state }) => showPartner(id, state as PartnerState));
    return { partners: pageIn(partners, query), total: partners.length };
  },
});
