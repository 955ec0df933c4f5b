import Type from 'typebox';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { orderOf, sorting } from '../../lists/order-of.ts';
import { optionalPaging, pageOf } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { StatusFilter } from '../fields.ts';
import { visibleSourcesWhere } from '../sources-where.ts';
import { SupplySource, showSupplySource } from '../supply-sources/supply-source.ts';

export const listPartnerPublishers = defineRoute({
  method: 'GET',
  path: '/api/partner/publishers',
  tag: 'Partners',
  operationId: 'listPartnerPublishers',
  summary: "List a partner's supply sources, oldest first",
  description: 'Without `page` and `per_page` all of them, in one answer.',
  access: 'account',
  partner: 'required',
  query: Type.Object({ status: StatusFilter, ...sorting('created_at', 'updated_at', 'name'), ...optionalPaging }),
  answer: { status: 200, schema: Type.Object({ publishers: Type.Array(SupplySource), total: Type.Integer() }) },
  async handle({ query, caller, parts }) {
    const { status, sort } = query;
    const where = visibleSourcesWhere(caller, status);
    const { documents, total } = await parts.store.query(publisher.kind, { where, ...orderOf(sort), ...pageOf(query) });
    return { publishers: documents.map(({ id, state }) => showSupplySource(id, state as PublisherState)), total };
  },
});
