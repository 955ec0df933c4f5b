import Type from 'typebox';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { orderOf, sorting } from '../../lists/order-of.ts';
import { optionalPaging, pageOf } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { DemandSource, showDemandSource } from '../demand-sources/demand-source.ts';
import { StatusFilter } from '../fields.ts';
import { visibleSourcesWhere } from '../sources-where.ts';

export const listPartnerDsps = defineRoute({
  method: 'GET',
  path: '/api/partner/dsps',
  tag: 'Partners',
  operationId: 'listPartnerDsps',
  summary: "List a partner's demand sources, oldest first",
  description: 'Without `page` and `per_page` all of them, in one answer.',
  access: 'account',
  partner: 'required',
  query: Type.Object({ status: StatusFilter, ...sorting('created_at', 'updated_at', 'name'), ...optionalPaging }),
  answer: { status: 200, schema: Type.Object({ dsps: Type.Array(DemandSource), total: Type.Integer() }) },
  async handle({ query, caller, parts }) {
    const { status, sort } = query;
    const where = visibleSourcesWhere(caller, status);
    const { documents, total } = await parts.store.query(dsp.kind, { where, ...orderOf(sort), ...pageOf(query) });
    return { dsps: documents.map(({ id, state }) => showDemandSource(id, state as DspState)), total };
  },
});
