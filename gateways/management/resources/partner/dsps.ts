import Type from 'typebox';
import { dsp } from '../../../../actors/dsp/dsp.ts';
import type { DspState } from '../../../../actors/dsp/reduce.ts';
import { defineRoute } from '../../routing/route.ts';
import { DemandSource, showDemandSource } from '../demand-sources/demand-source.ts';
import { StatusFilter } from '../fields.ts';
import { visibleSources } from '../visible-sources.ts';

export const partnerDsps = defineRoute({
  method: 'GET',
  path: '/api/partner/dsps',
  tag: 'Partners',
  operationId: 'listPartnerDsps',
  summary: "List a partner's demand sources, oldest first",
  description: 'Without `page` and `per_page` all of them, in one answer.',
  access: 'account',
  partner: 'required',
  query: Type.Object({ status: StatusFilter }),
  answer: { status: 200, schema: Type.Object({ dsps: Type.Array(DemandSource), total: Type.Integer() }) },
  async handle({ query: { status }, caller, parts }) {
    const where = visibleSources(caller, status);
    const { documents, total } = await parts.store.query(dsp.kind, { where, orderBy: 'createdAt' });
    return { dsps: documents.map(({ id, state }) => showDemandSource(id, state as DspState)), total };
  },
});
