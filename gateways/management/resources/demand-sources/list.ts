import Type from 'typebox';
import { dsp } from '../../../../actors/dsp/dsp.ts';
import { DspMode } from '../../../../actors/dsp/messages.ts';
import type { DspState } from '../../../../actors/dsp/reduce.ts';
import { defineRoute } from '../../routing/route.ts';
import { StatusFilter } from '../fields.ts';
import { visibleSources } from '../visible-sources.ts';
import { DemandSource, showDemandSource } from './demand-source.ts';

export const listDemandSources = defineRoute({
  method: 'GET',
  path: '/api/demand/sources',
  tag: 'Demand',
  operationId: 'listDemandSources',
  summary: 'List demand sources, oldest first',
  description: 'Without `page` and `per_page` all of them. In the sandbox context sandbox sources, else live ones.',
  access: 'account',
  query: Type.Object({ status: StatusFilter, mode: Type.Optional(DspMode) }),
  answer: { status: 200, schema: Type.Object({ dsps: Type.Array(DemandSource), total: Type.Integer() }) },
  async handle({ query: { status, mode }, caller, parts }) {
    const { documents, total } = await parts.store.query(dsp.kind, {
      where: { ...visibleSources(caller, status), ...(mode === undefined ? {} : { mode }) },
      orderBy: 'createdAt',
    });
    return { dsps: documents.map(({ id, state }) => showDemandSource(id, state as DspState)), total };
  },
});
