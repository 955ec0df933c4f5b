import Type from 'typebox';
import { dsp } from '#actors/dsp/dsp';
import { DspMode } from '#actors/dsp/fields';
import type { DspState } from '#actors/dsp/reduce';
import { orderOf, sorting } from '../../lists/order-of.ts';
import { optionalPaging, pageOf } from '../../lists/page-of.ts';
import { namedLike, searching } from '../../lists/search.ts';
import { defineRoute } from '../../routing/route.ts';
import { StatusFilter } from '../fields.ts';
import { visibleSourcesWhere } from '../sources-where.ts';
import { DemandSource, showDemandSource } from './demand-source.ts';

export const listDemandSources = defineRoute({
  method: 'GET',
  path: '/api/demand/sources',
  tag: 'Demand',
  operationId: 'listDemandSources',
  summary: 'List demand sources, oldest first',
  description: 'Without `page` and `per_page` all of them. In the sandbox context sandbox sources, else live ones.',
  access: 'account',
  query: Type.Object({
    ...searching,
    status: StatusFilter,
    mode: Type.Optional(DspMode),
    pool_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Those alone that are subscribed to this pool.' }),
    ),
    ...sorting('created_at', 'updated_at', 'name'),
    ...optionalPaging,
  }),
  answer: { status: 200, schema: Type.Object({ dsps: Type.Array(DemandSource), total: Type.Integer() }) },
  async handle({ query, caller, parts }) {
    const { status, mode, pool_id: poolId, sort, q } = query;
    const { documents, total } = await parts.store.query(dsp.kind, {
      where: {
        ...visibleSourcesWhere(caller, status),
        ...namedLike(q),
        ...(mode === undefined ? {} : { mode }),
        ...(poolId === undefined ? {} : { poolIds: poolId }),
      },
      ...orderOf(sort),
      ...pageOf(query),
    });
    return { dsps: documents.map(({ id, state }) => showDemandSource(id, state as DspState)), total };
  },
});
