import { defineRoute } from '../../routing/route.ts';
import { loadPartner, Partner, PartnerParams, showPartner } from './partner.ts';

export const readPartner = defineRoute({
  method: 'GET',
  path: '/api/partners/:id',
  tag: 'Partners',
  operationId: 'getPartner',
  summary: 'Read a partner',
  description: '404 for partners of other accounts.',
  access: 'account',
  reach: { environments: 'every' },
  revised: true,
  params: PartnerParams,
  answer: { status: 200, schema: Partner },
  async handle({ params: { id }, caller, revision, parts }) {
    const state = await loadPartner(parts, id, caller);
    revision(state.revision);
    return showPartner(id, state);
  },
});
