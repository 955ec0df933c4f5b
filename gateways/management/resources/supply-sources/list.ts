import Type from 'typebox';
import { publisher } from '../../../../actors/publisher/publisher.ts';
import type { PublisherState } from '../../../../actors/publisher/reduce.ts';
import { orderOf, sorting } from '../../lists/order-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { paging, StatusFilter } from '../fields.ts';
import { visibleSources } from '../visible-sources.ts';
import { SupplySource, showSupplySource } from './supply-source.ts';

export const listSupplySources = defineRoute({
  method: 'GET',
  path: '/api/supply/sources',
  tag: 'Supply',
  operationId: 'listSupplySources',
  summary: 'List supply sources, oldest first',
  description:
    'Without `page` and `per_page` the first 50, as the specification says. In the sandbox context sandbox sources, else live ones.',
  access: 'account',
  query: Type.Object({
    ...paging,
    status: StatusFilter,
    ...sorting('created_at', 'updated_at', 'name'),
  }),
  answer: {
    status: 200,
    schema: Type.Object({ publishers: Type.Array(SupplySource), total: Type.Integer(), page: Type.Integer() }),
  },
  async handle({ query: { page = 1, per_page: perPage = 50, status, sort }, caller, parts }) {
    const { documents, total } = await parts.store.query(publisher.kind, {
      where: visibleSources(caller, status),
      ...orderOf(sort),
      skip: (page - 1) * perPage,
      limit: perPage,
    });
    return { publishers: documents.map(({ id, state }) => showSupplySource(id, state as PublisherState)), total, page };
  },
});
