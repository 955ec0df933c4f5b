import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { defineRoute } from '../../routing/route.ts';
import { PlatformFigures } from '../metrics/figures.ts';
import { MetricsQuery } from '../metrics/metrics-query.ts';
import { scopeFigures } from '../metrics/scope-figures.ts';

export const partnerStats = defineRoute({
  method: 'GET',
  path: '/api/partner/stats',
  tag: 'Partners',
  operationId: 'getPartnerStats',
  summary: "Read what a partner's sources sold, under the partner's id",
  description: 'As `GET /api/metrics/partner`, with the id of the partner named by `X-User-Partner-ID`.',
  access: 'account',
  partner: 'required',
  query: MetricsQuery,
  answer: { status: 200, schema: Type.Object({ partner_id: Uuid, ...PlatformFigures.properties }) },
  async handle({ query, caller, parts }) {
    return { partner_id: caller.partnerId!, ...(await scopeFigures(parts, caller, query)) };
  },
});
