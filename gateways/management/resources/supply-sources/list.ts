import Type from 'typebox';
import { PublisherType } from '#actors/publisher/fields';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { orderOf, sorting } from '../../lists/order-of.ts';
import { namedLike, searching } from '../../lists/search.ts';
import { defineRoute } from '../../routing/route.ts';
import { paging, StatusFilter } from '../fields.ts';
import { visibleSourcesWhere } from '../sources-where.ts';
import { SupplySource, showSupplySource } from './supply-source.ts';

/** The id of a pool, or `none`. */
const poolPattern = '^(none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$';

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
    ...searching,
    status: StatusFilter,
    type: Type.Optional(PublisherType),
    pool_id: Type.Optional(
      Type.String({
        pattern: poolPattern,
        description: 'Members of this pool alone; `none`: those that are in no pool.',
      }),
    ),
    ...sorting('created_at', 'updated_at', 'name'),
  }),
  answer: {
    status: 200,
    schema: Type.Object({ publishers: Type.Array(SupplySource), total: Type.Integer(), page: Type.Integer() }),
  },
  async handle({ query, caller, parts }) {
    const { page = 1, per_page: perPage = 50, status, sort, q, type, pool_id: poolId } = query;
    const { documents, total } = await parts.store.query(publisher.kind, {
      where: {
        ...visibleSourcesWhere(caller, status),
        ...namedLike(q),
        ...(type === undefined ? {} : { type }),
        ...(poolId === undefined ? {} : { poolId: poolId === 'none' ? null : poolId }),
      },
      ...orderOf(sort),
      skip: (page - 1) * perPage,
      limit: perPage,
    });
    return { publishers: documents.map(({ id, state }) => showSupplySource(id, state as PublisherState)), total, page };
  },
});
